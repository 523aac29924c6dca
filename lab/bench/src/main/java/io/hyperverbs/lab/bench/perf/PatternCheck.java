package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Sends a known pattern over each queue pair before anything is timed, and compares what arrived: a broken transfer is
 * an error, and no fast figure. One side asks, the other one answers, at points in the store.
 */
final class PatternCheck {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** A multiplier without common factors with 256: each byte differs from its neighbours. */
    private static final int STEP = 37;

    private final PerfEnd end;
    private final PerfPoints points;
    private final PerfRound round;

    PatternCheck(PerfEnd end, PerfPoints points) {
        this.end = end;
        this.points = points;
        this.round = end.round;
    }

    /** Both directions if the round has both, this side's first if it is the active one. */
    void run() throws VerbsException, BenchFailure {
        turn(round.active(), "check-first-");
        if (!round.latency() && round.has(PerfFlag.BIDIRECTIONAL)) {
            turn(!round.active(), "check-second-");
        }
        end.memory.fill((byte) 0);
        points.meet("checked");
    }

    private void turn(boolean asks, String word) throws VerbsException, BenchFailure {
        for (int k = 0; k < end.count(); k++) {
            if (asks) {
                ask(k, word + k);
            } else {
                answer(k, word + k);
            }
        }
    }

    private void ask(int k, String point) throws VerbsException, BenchFailure {
        switch (round.verb()) {
            case SEND, WRITE -> {
                fill(k);
                transfer(k);
                points.meet(point);
            }
            case READ -> {
                String _ = points.await(point);
                transfer(k);
                compare(k, end.landingOffset());
                points.say(point, "1");
            }
            case FETCH_ADD -> {
                transfer(k);
                long before = end.memory.get(LONG, 0);
                transfer(k);
                if (end.memory.get(LONG, 0) != before + 1) {
                    throw new BenchFailure(failure(k) + end.memory.get(LONG, 0) + " came back after " + before);
                }
                points.meet(point);
            }
        }
    }

    private void answer(int k, String point) throws VerbsException, BenchFailure {
        switch (round.verb()) {
            case SEND -> {
                String _ = points.await(point);
                int _ = end.completions.await(end.receiveCq);
                compare(k, end.landingOffset());
                end.receive(k);
                points.say(point, "1");
            }
            case WRITE -> {
                String _ = points.await(point);
                compare(k, end.landingOffset());
                points.say(point, "1");
            }
            case READ -> {
                fill(k);
                points.meet(point);
            }
            case FETCH_ADD -> points.meet(point);
        }
    }

    private void transfer(int k) throws VerbsException, BenchFailure {
        end.post(k, 0, SendFlags.SIGNALLED, 0);
        int _ = end.completions.await(end.sendCq);
    }

    private byte pattern(int k, int at) {
        return (byte) (round.session() + k + 1 + at * STEP + (at >>> 8));
    }

    private void fill(int k) {
        for (int i = 0; i < round.sizeBytes(); i++) {
            end.memory.set(ValueLayout.JAVA_BYTE, i, pattern(k, i));
        }
    }

    private void compare(int k, long offset) throws BenchFailure {
        for (int i = 0; i < round.sizeBytes(); i++) {
            byte found = end.memory.get(ValueLayout.JAVA_BYTE, offset + i);
            if (found != pattern(k, i)) {
                throw new BenchFailure(
                        failure(k) + "byte " + i + " is " + (found & 0xff) + " instead of " + (pattern(k, i) & 0xff));
            }
        }
    }

    private static String failure(int k) {
        return "queue pair " + k + ": ";
    }
}
