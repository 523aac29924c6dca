package io.hyperverbs.backend.channel;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether the sockets of one domain are read: not while the domain pauses, which holds for the
 * listening socket and for connections that are made meanwhile, and not while its guest does not
 * read either. What is not read costs nothing. The domain's event loop alone.
 */
final class ReadGate {
    private final LongSupplier nanoTime;
    private final Set<Channel> sockets = new HashSet<>();
    private final Set<Channel> stalled = new HashSet<>();
    private boolean paused;
    private long untilNanos;

    ReadGate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** One more socket of the domain. */
    void add(Channel socket) {
        sockets.add(socket);
        set(socket);
    }

    void remove(Channel socket) {
        sockets.remove(socket);
        stalled.remove(socket);
    }

    /** The guest does not read what is sent to it on this connection, or reads again. */
    void stall(Channel connection, boolean isStalled) {
        if (isStalled) {
            stalled.add(connection);
        } else {
            stalled.remove(connection);
        }
        set(connection);
    }

    /** Reads nothing for so long from now; a pause that lasts longer already stays. */
    void pause(EventLoop loop, long nanos) {
        long until = nanoTime.getAsLong() + nanos;
        if (paused) {
            untilNanos = Math.max(until - untilNanos, 0) + untilNanos;
            return;
        }
        untilNanos = until;
        paused = true;
        sockets.forEach(this::set);
        schedule(loop, nanos);
    }

    private void schedule(EventLoop loop, long nanos) {
        var _ = loop.schedule(() -> resume(loop), nanos, TimeUnit.NANOSECONDS);
    }

    private void resume(EventLoop loop) {
        long left = untilNanos - nanoTime.getAsLong();
        if (left > 0) {
            schedule(loop, left);
            return;
        }
        paused = false;
        // A socket that reads at once may close others.
        Set.copyOf(sockets).forEach(this::set);
    }

    private void set(Channel socket) {
        var _ = socket.config().setAutoRead(!paused && !stalled.contains(socket));
    }
}
