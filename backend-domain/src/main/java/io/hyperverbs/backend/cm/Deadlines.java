package io.hyperverbs.backend.cm;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What waits, in the order in which its time is over; each has at most one deadline. Under the lock of {@link
 * io.hyperverbs.backend.management.Management}.
 */
public final class Deadlines<E> {
    /** The number tells those of one moment apart. */
    private record Slot<E>(long nanos, long number, E of) {}

    private final TreeSet<Slot<E>> order =
            new TreeSet<>(Comparator.<Slot<E>>comparingLong(Slot::nanos).thenComparingLong(Slot::number));
    private final Map<E, Slot<E>> slots = new HashMap<>();
    private long lastNumber;

    /** In place of the deadline that it had. */
    public void set(E of, long deadlineNanos) {
        clear(of);
        Slot<E> slot = new Slot<>(deadlineNanos, ++lastNumber, of);
        slots.put(of, slot);
        order.add(slot);
    }

    public void clear(E of) {
        Slot<E> slot = slots.remove(of);
        if (slot != null) {
            order.remove(slot);
        }
    }

    /** Takes one whose time is over; null if there is none. */
    public @Nullable E takeExpired(long nowNanos) {
        if (order.isEmpty() || order.first().nanos > nowNanos) {
            return null;
        }
        E first = order.first().of;
        clear(first);
        return first;
    }

    /** When the next is due; the largest number if none is. */
    public long next() {
        return order.isEmpty() ? Long.MAX_VALUE : order.first().nanos;
    }
}
