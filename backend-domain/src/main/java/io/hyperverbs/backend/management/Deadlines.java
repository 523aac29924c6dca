package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Connection;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Connections in the order in which their time is over. Under the lock of {@link Management}. */
final class Deadlines {
    private final TreeSet<Connection> order = new TreeSet<>(
            Comparator.<Connection>comparingLong(c -> c.deadlineNanos).thenComparingLong(c -> c.handle));

    void set(Connection connection, long deadlineNanos) {
        clear(connection);
        connection.deadlineNanos = deadlineNanos;
        connection.timed = true;
        order.add(connection);
    }

    void clear(Connection connection) {
        if (connection.timed) {
            order.remove(connection);
            connection.timed = false;
        }
    }

    /** Takes one whose time is over; null if there is none. */
    @Nullable
    Connection takeExpired(long nowNanos) {
        if (order.isEmpty() || order.first().deadlineNanos > nowNanos) {
            return null;
        }
        Connection first = order.first();
        clear(first);
        return first;
    }

    /** When the next is due; the largest number if none is. */
    long next() {
        return order.isEmpty() ? Long.MAX_VALUE : order.first().deadlineNanos;
    }
}
