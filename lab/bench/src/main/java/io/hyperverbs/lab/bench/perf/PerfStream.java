package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the send queues of an end full: posts a list whenever one fits, signals one message in so many, and counts those
 * that a completion covers. One thread.
 */
final class PerfStream {
    /** What is done between the posts. */
    interface Meanwhile {
        /** Returns how much was done. */
        int serve() throws VerbsException, BenchFailure;
    }

    private static final long MILLI = 1_000_000;

    private final PerfEnd end;
    private final Meanwhile meanwhile;
    private final PerfQueues queues;
    private final int each;
    private final long millis;
    private final PeakTimes peak;

    /** Of messages that are timed one by one, of which each queue pair has one under way. */
    private final @Nullable TimeCounts times;

    /** By queue pair, of those. */
    private final long[] postedNanos;

    /** By queue pair: messages posted, those not known to be complete, and those since the last signalled one. */
    private final int[] posted;

    private final int[] outstanding;
    private final int[] unsignalled;

    private long completed;
    private long beganNanos;
    private long endedNanos;

    /**
     * @param each messages on each queue pair, if {@code millis} is 0
     * @param millis how long messages are posted otherwise
     */
    PerfStream(PerfEnd end, Meanwhile meanwhile, int each, long millis) {
        this(end, meanwhile, each, millis, null);
    }

    /** @param times where to count how long each message took; the send queues have room for one */
    PerfStream(PerfEnd end, Meanwhile meanwhile, int each, long millis, @Nullable TimeCounts times) {
        this.end = end;
        this.times = times;
        this.meanwhile = meanwhile;
        this.queues = end.round.queues();
        this.each = millis > 0 ? Integer.MAX_VALUE : each;
        this.millis = millis;
        int count = end.count();
        this.posted = new int[count];
        this.outstanding = new int[count];
        this.unsignalled = new int[count];
        this.postedNanos = new long[count];
        this.peak = new PeakTimes(millis > 0 || end.round.has(PerfFlag.NO_PEAK) ? 0 : each * count);
    }

    /** Sends all, and waits until all are complete. */
    void run() throws VerbsException, BenchFailure {
        begin();
        while (isOpen()) {
            if (turn() + meanwhile.serve() == 0) {
                end.completions.idle();
            }
        }
        drain();
    }

    /** Its time begins. */
    void begin() {
        beganNanos = System.nanoTime();
    }

    /** Whether messages are left to be posted, or to be complete. */
    boolean isOpen() {
        return millis > 0 ? System.nanoTime() - beganNanos < millis * MILLI : completed < (long) each * end.count();
    }

    /** Posts what fits and takes what is complete; returns how much was done. */
    int turn() throws BenchFailure {
        return post() + take(true);
    }

    private int post() throws BenchFailure {
        int done = 0;
        for (int k = 0; k < posted.length; k++) {
            int list = Math.min(queues.postList(), each - posted[k]);
            if (list > 0 && outstanding[k] + list <= queues.txDepth()) {
                postedNanos[k] = times == null ? 0 : System.nanoTime();
                end.start(k);
                peak.posted(list);
                for (int i = 0; i < list; i++) {
                    add(k, posted[k] + 1 == each);
                }
                end.post(k);
                done += list;
            }
        }
        return done;
    }

    private void add(int k, boolean last) {
        posted[k]++;
        outstanding[k]++;
        unsignalled[k]++;
        boolean signalled = last || unsignalled[k] >= queues.cqModeration();
        // The completion says how many messages end with it.
        end.add(k, unsignalled[k], signalled ? SendFlags.SIGNALLED : SendFlags.NONE, 0);
        if (signalled) {
            unsignalled[k] = 0;
        }
    }

    private int take(boolean counts) throws BenchFailure {
        int count = end.completions.take(end.sendCq);
        if (count == 0) {
            return 0;
        }
        long nowNanos = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int covered = (int) end.completions.at(i).wrId();
            int k = end.indexOf(end.completions.at(i).qpn());
            outstanding[k] -= covered;
            if (counts) {
                if (times != null) {
                    times.record(nowNanos - postedNanos[k]);
                }
                completed += covered;
                endedNanos = nowNanos;
                peak.completed(completed, nowNanos);
            }
        }
        return count;
    }

    /** What was posted without a signal after the last signalled message needs one that has it; it is not counted. */
    void drain() throws VerbsException, BenchFailure {
        boolean left = true;
        while (left) {
            left = false;
            int done = take(false) + meanwhile.serve();
            for (int k = 0; k < posted.length; k++) {
                if (unsignalled[k] > 0 && outstanding[k] < queues.txDepth()) {
                    end.start(k);
                    add(k, true);
                    end.post(k);
                }
                left |= outstanding[k] > 0;
            }
            if (left && done == 0) {
                end.completions.idle();
            }
        }
    }

    /** All messages that went out. */
    long posted() {
        long sum = 0;
        for (int one : posted) {
            sum += one;
        }
        return sum;
    }

    /** From its begin to the last completion that counts. */
    long nanos() {
        return endedNanos - beganNanos;
    }

    /** {@code <messages> <nanos> <peak nanos a message>}. */
    String figures() throws BenchFailure {
        if (completed == 0) {
            throw new BenchFailure("no message was complete in time");
        }
        return completed + " " + nanos() + " " + peak.nanosEach(queues.postList());
    }
}
