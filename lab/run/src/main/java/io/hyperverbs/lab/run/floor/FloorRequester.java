package io.hyperverbs.lab.run.floor;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.posix.Futex;
import io.hyperverbs.vmm.posix.PosixException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Party 0: measures floors. One thread. */
final class FloorRequester implements AutoCloseable {
    private static final int OWN = 0;

    /** Pieces that a stream is timed in. */
    static final int STRETCHES = 5;

    private static final long SLEEP_NANOS = 1_000_000_000;

    /**
     * How long one floor is measured.
     *
     * @param iterations timed at most, at least 1
     * @param warmUp operations before, not timed
     * @param millis the most for either
     */
    record Terms(int iterations, int warmUp, int millis) {}

    private final FloorMemory memory;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final Futex own;
    private final EventFdPair pair;
    private final FloorStream stream;
    private final Path socket;
    private @Nullable FloorCall call;
    private int requested;

    /**
     * To be made by a thread that may use an engine's core too.
     *
     * @param socket where {@link FloorCall#serve} answers
     */
    FloorRequester(FloorMemory memory, Path socket) throws PosixException {
        this.memory = memory;
        this.socket = socket;
        this.own = memory.futex(OWN);
        this.stream = new FloorStream(memory, OWN);
        this.pair = EventFdPair.start();
    }

    /**
     * Measures one floor.
     *
     * @return nanoseconds of each operation, at least one; whole round trips, of wakes the time from the engine's call, and
     *     of streams that of {@link FloorStream#MESSAGES} messages, for each of {@link #STRETCHES}
     */
    long[] measure(FloorCell cell, Terms terms) {
        int bytes = cell.bytes();
        return switch (cell.floor()) {
            case WRITE -> in(Phase.WRITES, () -> write(bytes), terms);
            case SEND -> in(Phase.MESSAGES, () -> send(bytes), terms);
            case COPY -> in(Phase.IDLE, () -> copy(bytes), terms);
            case WRITES -> stream(Phase.STREAM, cell, terms);
            case SENDS -> stream(Phase.MESSAGE_STREAM, cell, terms);
            case COPIES -> stream(Phase.IDLE, cell, terms);
            case FUTEX -> in(Phase.WAKES, this::awaitWake, terms);
            case EVENTFD -> {
                pair.poll(true);
                long[] nanos = in(Phase.IDLE, pair::awaitWake, terms);
                pair.poll(false);
                yield nanos;
            }
            case CALL -> in(Phase.IDLE, call()::once, terms);
        };
    }

    /** A stream goes by its time alone. */
    private long[] stream(Phase phase, FloorCell cell, Terms terms) {
        memory.begin(phase);
        double millis = (double) terms.millis / STRETCHES;
        long _ = stream.run(cell, terms.warmUp > 0 ? terms.millis : 0);
        long[] nanos = new long[STRETCHES];
        for (int i = 0; i < STRETCHES; i++) {
            nanos[i] = stream.run(cell, millis);
        }
        memory.begin(Phase.IDLE);
        return nanos;
    }

    private long[] in(Phase phase, LongSupplier operation, Terms terms) {
        memory.begin(phase);
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(terms.millis);
        for (int i = 0; i < terms.warmUp && System.nanoTime() - endNanos < 0; i++) {
            long _ = operation.getAsLong();
        }
        long[] nanos = new long[terms.iterations];
        int taken = 0;
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(terms.millis);
        while (taken < nanos.length && (taken == 0 || System.nanoTime() - endNanos < 0)) {
            nanos[taken++] = operation.getAsLong();
        }
        memory.begin(Phase.IDLE);
        return Arrays.copyOf(nanos, taken);
    }

    /** Its event loop starts where the thread that measures is, as that of a guest. */
    private FloorCall call() {
        FloorCall made = call == null ? new FloorCall(socket) : call;
        call = made;
        return made;
    }

    private long copy(int bytes) {
        long begunNanos = System.nanoTime();
        memory.copy(OWN, bytes);
        return System.nanoTime() - begunNanos;
    }

    private long write(int bytes) {
        long begunNanos = System.nanoTime();
        memory.request(OWN, ++requested, bytes);
        while (memory.answers(OWN) != requested) {
            boolean _ = waiting.idle();
        }
        waiting.reset();
        return System.nanoTime() - begunNanos;
    }

    private long send(int bytes) {
        long begunNanos = System.nanoTime();
        memory.request(OWN, ++requested, bytes);
        while (memory.arrivals(OWN) != requested) {
            boolean _ = waiting.idle();
        }
        waiting.reset();
        return System.nanoTime() - begunNanos;
    }

    private long awaitWake() {
        memory.request(OWN, ++requested, Long.BYTES);
        for (int woken = memory.wakes(OWN); woken != requested; woken = memory.wakes(OWN)) {
            own.await(woken, SLEEP_NANOS);
        }
        return System.nanoTime() - memory.wokenAtNanos(OWN);
    }

    @Override
    public void close() {
        pair.close();
        if (call != null) {
            call.close();
        }
    }
}
