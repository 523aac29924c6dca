package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Two programs find each other through the store, whichever comes first, and swap lines. Each
 * writes its {@link Call} under {@code pingpong/<peer>}, then all else under {@code
 * pingpong/<peer>/<peer's session>/...}: nobody takes what a program left that was killed before it
 * could clean up. Closing removes all keys. One thread.
 */
final class Meeting implements AutoCloseable {
    /** After so long without an answer the peer's call may be one that was left behind. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final String SEEN = "seen";
    private static final String LEAVING = "leaving";

    private final Store store;
    private final String own;
    private final String peer;
    private final Call call;
    private final long endNanos;
    private final Set<String> written = new LinkedHashSet<>();
    private final Call answered;

    /**
     * Calls {@code peer} and waits until it has seen the call.
     *
     * @param patience for the whole meeting
     * @throws VerbsException ETIMEDOUT without an answer; ENOENT if the peer has ended
     */
    Meeting(Store store, String own, String peer, Call call, Duration patience) throws VerbsException {
        this.store = store;
        this.own = own;
        this.peer = peer;
        this.call = call;
        this.endNanos = System.nanoTime() + patience.toNanos();
        this.answered = begin();
    }

    private Call begin() throws VerbsException {
        try {
            write(key(peer), call.format());
            return find();
        } catch (VerbsException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Where a program says that it calls {@code callee}. */
    static String key(String callee) {
        return "pingpong/" + callee;
    }

    /** The peer's call; it has seen ours. */
    Call peerCall() {
        return answered;
    }

    private Call find() throws VerbsException {
        Call found = Call.parse(await(key(own), left()));
        while (true) {
            write(path(found, SEEN), "1");
            try {
                Duration wait = left().compareTo(LOOK_AGAIN) < 0 ? left() : LOOK_AGAIN;
                await(path(SEEN), wait);
                return latest(found);
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT || left().isZero()) {
                    throw e;
                }
            }
            Call again = Call.parse(await(key(own), left()));
            if (!again.session().equals(found.session())) {
                remove(path(found, SEEN));
                found = again;
            }
        }
    }

    /**
     * The peer wrote its call before it saw ours, so what is there now is no call of an earlier
     * program.
     */
    private Call latest(Call found) throws VerbsException {
        Optional<String> line = store.read(peer, key(own));
        Call last = line.isPresent() ? Call.parse(line.get()) : found;
        if (!last.session().equals(found.session())) {
            write(path(last, SEEN), "1");
        }
        return last;
    }

    /** Stays until the peer has read all it must, or a short while: it does not wait for us. */
    void leave() throws VerbsException {
        write(path(answered, LEAVING), "1");
        try {
            await(path(LEAVING), LINGER);
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ETIMEDOUT && e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
        }
    }

    /** Gives {@code line} to the peer, and waits for its line under the same word. */
    String swap(String word, String line) throws VerbsException {
        write(path(answered, word), line);
        return await(path(word), left());
    }

    private String path(Call to, String word) {
        return key(peer) + "/" + to.session() + "/" + word;
    }

    private String path(String word) {
        return key(own) + "/" + call.session() + "/" + word;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }

    private String await(String key, Duration wait) throws VerbsException {
        return store.await(peer, key, wait);
    }

    private void write(String key, String value) throws VerbsException {
        written.add(key);
        store.write(key, value);
    }

    private void remove(String key) throws VerbsException {
        store.remove(key);
        written.remove(key);
    }

    @Override
    public void close() {
        for (String key : written) {
            try {
                store.remove(key);
            } catch (VerbsException e) {
                // The machine is gone, and its store with it.
                return;
            }
        }
    }
}
