package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * As many messages in flight as the send queues hold, on one side or on both. Each side that sends warms up, and goes on
 * at once with what is timed: streams that began right after both had met in the store were many times slower for some
 * milliseconds. A side that receives posts its receives again all the while. One thread; no allocation while it measures.
 */
final class BandwidthRun {
    private static final String SENT = "sent";

    private static final long MILLI = 1_000_000;

    /** Messages on each queue pair of one stream of the warm-up. */
    private static final int MOST_WARM_UP = 1_000;

    /** Streams of so many messages are timed for so long, or until there are so many: one is over in 0.2 ms. */
    private static final long REPEAT_NANOS = 100 * MILLI;

    private static final int MOST_STREAMS = 11;

    /** How often a side that receives and has nothing to do looks for the peer's word in the store. */
    private static final long LOOK_NANOS = 5_000_000;

    /** Unreliable messages that have not come so long after the peer's last completion were dropped. */
    private static final long LOST_NANOS = 200_000_000;

    private final PerfEnd end;
    private final PerfPoints points;
    private final PerfRound round;
    private long sent;
    private long received;

    BandwidthRun(PerfEnd end, PerfPoints points) {
        this.end = end;
        this.points = points;
        this.round = end.round;
    }

    /**
     * Sends and receives all.
     *
     * @return the figures of what was timed, as {@code <messages> <nanos> <peak nanos a message> <dropped>}; zeros on a
     *     side that does not send, and no peak where none is asked for
     */
    String run() throws VerbsException, BenchFailure {
        String figures = "0 0 0";
        if (round.requests()) {
            warmUp();
            figures = middle().figures();
        }
        points.say(SENT, Long.toString(sent));
        long expected = Long.parseLong(serveUntil(SENT));
        return figures + " " + (round.receives() ? dropped(expected) : 0);
    }

    /** A stream of another kind would leave code that runs for the first time while the timed one goes. */
    private void warmUp() throws VerbsException, BenchFailure {
        long endNanos = System.nanoTime() + round.warmUpMillis() * MILLI;
        while (System.nanoTime() - endNanos < 0) {
            var _ = round.seconds() > 0
                    ? stream(0, round.warmUpMillis())
                    : stream(Math.min(round.iterations(), MOST_WARM_UP), 0);
        }
    }

    /** What is timed: seconds, or of several streams of so many messages the one that took the middle time. */
    private PerfStream middle() throws VerbsException, BenchFailure {
        if (round.seconds() > 0) {
            return stream(0, round.seconds() * 1_000L);
        }
        List<PerfStream> streams = new ArrayList<>();
        long endNanos = System.nanoTime() + REPEAT_NANOS;
        while (streams.size() % 2 == 0 || (streams.size() < MOST_STREAMS && System.nanoTime() - endNanos < 0)) {
            streams.add(stream(round.iterations(), 0));
        }
        streams.sort(Comparator.comparingLong(PerfStream::nanos));
        return streams.get(streams.size() / 2);
    }

    private PerfStream stream(int each, long millis) throws VerbsException, BenchFailure {
        PerfStream stream = new PerfStream(end, this::serve, each, millis);
        stream.run();
        sent += stream.posted();
        return stream;
    }

    /** Takes receives that have completed and posts others; returns how many. */
    int serve() throws BenchFailure {
        if (!round.receives()) {
            return 0;
        }
        int count = end.completions.take(end.receiveCq);
        for (int i = 0; i < count; i++) {
            end.receive(
                    round.has(PerfFlag.SRQ)
                            ? 0
                            : end.indexOf(end.completions.at(i).qpn()));
        }
        received += count;
        return count;
    }

    private String serveUntil(String point) throws VerbsException, BenchFailure {
        if (!round.receives()) {
            return points.await(point);
        }
        long lookNanos = System.nanoTime();
        while (true) {
            if (serve() > 0) {
                continue;
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - lookNanos >= 0) {
                Optional<String> said = points.look(point);
                if (said.isPresent()) {
                    return said.get();
                }
                lookNanos = System.nanoTime() + LOOK_NANOS;
            }
            end.completions.idle();
        }
    }

    /** Waits for messages under way; a reliable connection loses none. */
    long dropped(long expected) throws VerbsException, BenchFailure {
        long lostNanos = System.nanoTime() + LOST_NANOS;
        while (received < expected) {
            if (serve() > 0) {
                lostNanos = System.nanoTime() + LOST_NANOS;
            } else if (round.transport() != QpType.RC && System.nanoTime() - lostNanos > 0) {
                break;
            } else {
                end.completions.idle();
            }
        }
        if (received > expected) {
            throw new BenchFailure(received + " messages came of " + expected);
        }
        return expected - received;
    }
}
