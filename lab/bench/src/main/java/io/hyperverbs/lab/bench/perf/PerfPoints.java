package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Points of a round at which its two sides meet: each writes {@code perf/<session>/<point>} under its own name into the
 * store and reads the peer's. What it wrote stays until {@link #close}, which is for when both sides have answered.
 * One thread.
 */
final class PerfPoints implements AutoCloseable {
    /** Long enough for a million messages on a slow path; a peer that has ended is noticed at once. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** How often a side that waits looks whether the peer has failed. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final String FAILED = "failed";

    private final Store store;
    private final String peer;
    private final String prefix;
    private final List<String> written = new ArrayList<>();

    PerfPoints(Store store, String peer, int session) {
        this.store = store;
        this.peer = peer;
        this.prefix = "perf/" + session + "/";
    }

    void say(String point, String value) throws VerbsException {
        store.write(prefix + point, value);
        written.add(prefix + point);
    }

    /** Waits, without using the processor, for the peer's word. */
    String await(String point) throws VerbsException, BenchFailure {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            try {
                return store.await(peer, prefix + point, SLICE);
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    throw e;
                }
            }
            Optional<String> failure = look(FAILED);
            if (failure.isPresent()) {
                throw new BenchFailure(peer + ": " + failure.get());
            }
        }
        throw new BenchFailure(peer + " did not come to '" + point + "' within " + PATIENCE.toMinutes() + " min");
    }

    /** Says why the peer need not wait for any more points. */
    void fail(String why) throws VerbsException {
        say(FAILED, why);
    }

    /** The peer's word, if it is there. */
    Optional<String> look(String point) throws VerbsException {
        return store.read(peer, prefix + point);
    }

    /**
     * The same, of a peer that may have failed.
     *
     * @throws BenchFailure if it has
     */
    Optional<String> lookUnlessFailed(String point) throws VerbsException, BenchFailure {
        Optional<String> failure = look(FAILED);
        if (failure.isPresent()) {
            throw new BenchFailure(peer + ": " + failure.get());
        }
        return look(point);
    }

    /** Both sides have come here. */
    void meet(String point) throws VerbsException, BenchFailure {
        say(point, "1");
        String _ = await(point);
    }

    @Override
    public void close() throws VerbsException {
        for (String key : written) {
            store.remove(key);
        }
        written.clear();
    }
}
