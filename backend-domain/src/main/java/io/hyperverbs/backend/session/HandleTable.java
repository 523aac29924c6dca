package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Handle to object, for one kind of object of one session. A handle is never given twice, so a
 * stale one finds nothing.
 *
 * <pre>
 *  63        62 .. 20        19 .. 16   15 .. 0
 *   0 |  generation of slot  |  kind  |  slot  |
 * </pre>
 *
 * A slot's generation starts at random and grows by one with each use: another session's handle
 * meets an unknown generation. Linearizable; {@link #get} takes no lock.
 */
public final class HandleTable<T> {
    private static final int KIND_SHIFT = 16;
    private static final int GENERATION_SHIFT = 20;
    public static final int MAX_CAPACITY = 1 << KIND_SHIFT;

    private record Entry<T>(long handle, T object) {}

    private final AtomicReferenceArray<@Nullable Entry<T>> slots;
    private final long[] generations;
    private final int[] freeSlots;
    private final int kind;
    private int free;

    /**
     * @param capacity objects at most, 0 to 65536
     * @param random source of first generations
     */
    public HandleTable(ObjectKind kind, int capacity, RandomGenerator random) {
        if (capacity < 0 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity " + capacity + ", must be 0 to " + MAX_CAPACITY);
        }
        this.kind = kind.code();
        this.slots = new AtomicReferenceArray<>(capacity);
        this.generations = new long[capacity];
        this.freeSlots = new int[capacity];
        this.free = capacity;
        for (int slot = 0; slot < capacity; slot++) {
            // One bit less than the field holds, so that growing by one never wraps.
            generations[slot] = random.nextLong(1, 1L << 42);
            freeSlots[slot] = capacity - 1 - slot;
        }
    }

    /** Puts an object in; its handle, never 0, or 0 if the table is full. */
    public synchronized long add(T object) {
        if (free == 0) {
            return 0;
        }
        int slot = freeSlots[--free];
        long handle = ++generations[slot] << GENERATION_SHIFT | (long) kind << KIND_SHIFT | slot;
        slots.set(slot, new Entry<>(handle, object));
        return handle;
    }

    /** The object of that handle, or null. */
    public @Nullable T get(long handle) {
        Entry<T> entry = entry(handle);
        return entry == null ? null : entry.object;
    }

    /** Takes the object of that handle out; null if there is none. */
    public synchronized @Nullable T remove(long handle) {
        Entry<T> entry = entry(handle);
        if (entry == null) {
            return null;
        }
        int slot = slot(handle);
        slots.set(slot, null);
        freeSlots[free++] = slot;
        return entry.object;
    }

    public synchronized int size() {
        return slots.length() - free;
    }

    /** The objects in the table now. */
    public synchronized List<T> objects() {
        List<T> objects = new ArrayList<>(size());
        for (int slot = 0; slot < slots.length(); slot++) {
            Entry<T> entry = slots.get(slot);
            if (entry != null) {
                objects.add(entry.object);
            }
        }
        return objects;
    }

    private @Nullable Entry<T> entry(long handle) {
        int slot = slot(handle);
        if (slot >= slots.length()) {
            return null;
        }
        Entry<T> entry = slots.get(slot);
        return entry != null && entry.handle == handle ? entry : null;
    }

    private static int slot(long handle) {
        return (int) (handle & (MAX_CAPACITY - 1));
    }
}
