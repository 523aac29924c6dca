package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import java.util.Optional;

/**
 * As many messages in flight as the send queues hold, on one side or on both. Each side that sends warms up, both meet,
 * and then it sends what is timed. A side that receives posts its receives again all the while. One thread; no
 * allocation while it measures.
 */
final class BandwidthRun {
    private static final String WARM = "warm";
    private static final String SENT = "sent";

    /** How often a side that receives and has nothing to do looks for the peer's word in the store. */
    private static final long LOOK_NANOS = 5_000_000;

    /** Unreliable messages that have not come so long after the peer's last completion were dropped. */
    private static final long LOST_NANOS = 200_000_000;

    private final PerfEnd end;
    private final PerfPoints points;
    private final PerfRound round;
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
        long sent = 0;
        if (round.requests() && round.warmUpMillis() > 0) {
            PerfStream warmUp = new PerfStream(end, this::serve, Integer.MAX_VALUE, round.warmUpMillis());
            warmUp.run();
            sent = warmUp.posted();
        }
        points.say(WARM, "1");
        String _ = serveUntil(WARM);
        String figures = "0 0 0";
        if (round.requests()) {
            PerfStream timed = new PerfStream(end, this::serve, round.iterations(), round.seconds() * 1_000L);
            timed.run();
            sent += timed.posted();
            figures = timed.figures();
        }
        points.say(SENT, Long.toString(sent));
        long expected = Long.parseLong(serveUntil(SENT));
        return figures + " " + (round.receives() ? dropped(expected) : 0);
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
