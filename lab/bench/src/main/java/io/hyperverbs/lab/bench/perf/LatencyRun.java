package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;

/**
 * One message in flight, each timed. The active side leads: it goes on until the warm-up is over, then until it has the
 * samples, and marks its last message. One thread; no allocation while it measures.
 */
final class LatencyRun {
    /** How one message, and its answer if it has one, is exchanged. */
    interface Exchange {
        /** Returns when the operation is over. */
        void once(boolean last) throws VerbsException, BenchFailure;

        /** The side that answers, until the message marked as the last one. */
        void answerAll() throws VerbsException, BenchFailure;
    }

    private static final long MILLI = 1_000_000;

    private final PerfRound round;
    private final Exchange exchange;

    LatencyRun(PerfEnd end) {
        this.round = end.round;
        this.exchange = switch (end.round.verb()) {
            case SEND -> new SendPingPong(end);
            case WRITE -> new WritePingPong(end);
            case READ, FETCH_ADD -> new TimedRequest(end);
        };
    }

    /** Returns how many samples it wrote into {@code nanos}; none on the passive side. */
    int run(long[] nanos) throws VerbsException, BenchFailure {
        if (!round.active()) {
            exchange.answerAll();
            return 0;
        }
        long warmNanos = System.nanoTime() + round.warmUpMillis() * MILLI;
        while (System.nanoTime() - warmNanos < 0) {
            exchange.once(false);
        }
        long endNanos = System.nanoTime() + round.seconds() * 1_000L * MILLI;
        int most = round.seconds() > 0 ? PerfRound.MOST_SAMPLES : round.iterations();
        int count = 0;
        boolean last = false;
        while (!last) {
            long beginNanos = System.nanoTime();
            last = count + 1 == most || (round.seconds() > 0 && beginNanos - endNanos >= 0);
            exchange.once(last);
            nanos[count++] = System.nanoTime() - beginNanos;
        }
        return count;
    }
}
