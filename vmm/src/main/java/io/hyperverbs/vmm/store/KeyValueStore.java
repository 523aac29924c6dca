package io.hyperverbs.vmm.store;

import io.hyperverbs.verbs.VerbsStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of a topology. Callable from any thread. The caller decides who may write where;
 * this class bounds what one name can fill.
 */
public final class KeyValueStore {
    public static final int MAX_KEYS = 256;
    public static final int MAX_VALUE_BYTES = 48 * 1024;

    /** So many names that have ended keep their values; of more, the first that ended lose them. */
    public static final int MAX_ENDED = 64;

    private final Map<StorePath, String> values = new HashMap<>();
    private final Map<String, Usage> usage = new HashMap<>();
    private final Map<StorePath, Waiters> waiting = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Deque<String> readable = new ArrayDeque<>();

    /** A key was waited for whose only writer has ended. */
    public static final class WriterEnded extends Exception {
        private static final long serialVersionUID = 1L;

        WriterEnded(String name) {
            super(name + " has ended and did not write it", null, false, false);
        }
    }

    /** Those who wait for one key. */
    private static final class Waiters extends IdentityHashMap<CompletableFuture<String>, Boolean> {
        private static final long serialVersionUID = 1L;
    }

    /** What one name has: how many keys, and bytes of all values together. */
    private static final class Usage {
        int keys;
        int valueBytes;
    }

    /**
     * Writes a value, and answers all who wait for its key.
     *
     * @return EAGAIN above {@link #MAX_KEYS} keys or {@link #MAX_VALUE_BYTES} of values together
     */
    public VerbsStatus write(StorePath path, String value) {
        List<CompletableFuture<String>> answered;
        synchronized (this) {
            String old = values.get(path);
            Usage used = usage.computeIfAbsent(path.name(), name -> new Usage());
            int keys = used.keys + (old == null ? 1 : 0);
            int bytes = used.valueBytes - sizeOf(old) + sizeOf(value);
            if (keys > MAX_KEYS || bytes > MAX_VALUE_BYTES) {
                return VerbsStatus.EAGAIN;
            }
            used.keys = keys;
            used.valueBytes = bytes;
            values.put(path, value);
            Waiters waiters = waiting.remove(path);
            answered = waiters == null ? List.of() : List.copyOf(waiters.keySet());
        }
        // Outside the lock: what follows an answer is not ours.
        answered.forEach(waiter -> waiter.complete(value));
        return VerbsStatus.SUCCESS;
    }

    private static int sizeOf(@Nullable String value) {
        return value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Removes a key if it is there. */
    public synchronized void remove(StorePath path) {
        String old = values.remove(path);
        Usage used = usage.get(path.name());
        if (old != null && used != null) {
            used.keys--;
            used.valueBytes -= sizeOf(old);
        }
    }

    /** A domain of that name begins: it has no key, whatever one before it had. */
    public synchronized void begin(String name) {
        ended.remove(name);
        readable.remove(name);
        forgetValues(name);
    }

    /**
     * Whoever wrote under that name writes no more: what is there can still be read, and who waits
     * for what is not there fails with {@link WriterEnded}, now and later (docs/adr/0030).
     */
    public void end(String name) {
        List<CompletableFuture<String>> failed = new ArrayList<>();
        synchronized (this) {
            if (!ended.add(name)) {
                return;
            }
            readable.add(name);
            if (readable.size() > MAX_ENDED) {
                forgetValues(readable.remove());
            }
            for (StorePath path : List.copyOf(waiting.keySet())) {
                Waiters waiters = path.name().equals(name) ? waiting.remove(path) : null;
                failed.addAll(waiters == null ? List.of() : waiters.keySet());
            }
        }
        // Outside the lock: what follows an answer is not ours.
        failed.forEach(waiter -> waiter.completeExceptionally(new WriterEnded(name)));
    }

    private void forgetValues(String name) {
        values.keySet().removeIf(path -> path.name().equals(name));
        usage.remove(name);
    }

    public synchronized Optional<String> read(StorePath path) {
        return Optional.ofNullable(values.get(path));
    }

    /**
     * The key's value as soon as it has one; fails with {@link WriterEnded} once it can get none.
     * A caller that gives up cancels the future, or lets it time out; it is forgotten then.
     */
    public synchronized CompletableFuture<String> await(StorePath path) {
        String value = values.get(path);
        if (value != null) {
            return CompletableFuture.completedFuture(value);
        }
        if (ended.contains(path.name())) {
            return CompletableFuture.failedFuture(new WriterEnded(path.name()));
        }
        CompletableFuture<String> waiter = new CompletableFuture<>();
        waiting.computeIfAbsent(path, any -> new Waiters()).put(waiter, true);
        // The dependent stage is of no interest; it only tidies up.
        var _ = waiter.whenComplete((got, failure) -> forget(path, waiter));
        return waiter;
    }

    private synchronized void forget(StorePath path, CompletableFuture<String> waiter) {
        Waiters waiters = waiting.get(path);
        if (waiters != null && waiters.remove(waiter) != null && waiters.isEmpty()) {
            waiting.remove(path);
        }
    }

    /** How many wait for a key at the moment. */
    public synchronized int waiters() {
        return waiting.values().stream().mapToInt(Waiters::size).sum();
    }
}
