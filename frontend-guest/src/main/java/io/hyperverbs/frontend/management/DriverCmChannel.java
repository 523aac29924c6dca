package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.event.CmWakeUp;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes events from the backend when its bell rings, in the thread that waits for one. Any thread.
 */
final class DriverCmChannel extends VerbsNode implements CmChannel {
    private final ManagementCalls verbs;
    private final long handle;
    private final CmWakeUp wakeUp = new CmWakeUp();
    private final Queue<CmNotice> taken = new ConcurrentLinkedQueue<>();
    private final Map<Long, DriverCmConnection> connections = new ConcurrentHashMap<>();

    private DriverCmChannel(ManagementCalls verbs, long handle) {
        this.verbs = verbs;
        this.handle = handle;
    }

    static DriverCmChannel create(ManagementCalls verbs) throws VerbsException {
        long handle = verbs.call(new ManagementRequest.CreateChannel(verbs.handle()), ManagementReply.Opened.class)
                .handle();
        DriverCmChannel channel = new DriverCmChannel(verbs, handle);
        verbs.events().addBell(handle, channel.wakeUp);
        try {
            channel.dependOn(verbs.context());
        } catch (VerbsException e) {
            channel.destroy();
            throw e;
        }
        return channel;
    }

    @Override
    public Optional<CmEvent> await(Duration timeout) throws VerbsException {
        long endNanos = System.nanoTime() + Math.min(CmWakeUp.nanos(timeout), Long.MAX_VALUE / 4);
        while (true) {
            CmNotice notice = taken.poll();
            if (notice != null) {
                CmEvent event = event(notice);
                if (event != null) {
                    return Optional.of(event);
                }
                continue;
            }
            if (!wakeUp.await(Math.max(0, endNanos - System.nanoTime()))) {
                return Optional.empty();
            }
            take();
        }
    }

    @Override
    public String describe() {
        return "CM channel " + (handle & 0xffff);
    }

    @Override
    protected void destroy() throws VerbsException {
        for (CmNotice notice : taken) {
            if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
                verbs.release(notice.connection());
            }
        }
        verbs.release(handle);
        verbs.events().forgetBell(handle);
        wakeUp.fail(VerbsStatus.EINVAL, describe() + " is closed");
    }

    DriverCmConnection resolve(Destination to) throws VerbsException {
        ManagementReply.Resolved resolved = find(to);
        return add(new DriverCmConnection(this, resolved.connection(), resolved.guest(), resolved.path()));
    }

    private ManagementReply.Resolved find(Destination to) throws VerbsException {
        ManagementRequest.Resolve request = new ManagementRequest.Resolve(handle, to);
        try {
            return verbs.call(request, ManagementReply.Resolved.class);
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
        }
        // Other HCAs may have it; they have answered when there is a path.
        var _ = verbs.path(to);
        return verbs.call(request, ManagementReply.Resolved.class);
    }

    ManagementCalls verbs() {
        return verbs;
    }

    long handle() {
        return handle;
    }

    boolean isOf(ManagementCalls other) {
        return verbs.equals(other);
    }

    void forget(DriverCmConnection connection) {
        connections.remove(connection.handle());
    }

    private DriverCmConnection add(DriverCmConnection connection) throws VerbsException {
        connections.put(connection.handle(), connection);
        return attached(connection);
    }

    /** From here on the program has it, and the channel is in use by it. */
    private DriverCmConnection attached(DriverCmConnection connection) throws VerbsException {
        try {
            connection.attach();
        } catch (VerbsException e) {
            connections.remove(connection.handle());
            verbs.release(connection.handle());
            throw e;
        }
        return connection;
    }

    /**
     * One thread at a time, so that a connection is known before any thread has a later event of
     * it.
     */
    private void take() throws VerbsException {
        synchronized (taken) {
            ManagementReply.Notices notices;
            try {
                notices = verbs.call(new ManagementRequest.TakeEvents(handle), ManagementReply.Notices.class);
            } catch (VerbsException e) {
                // They are still there; the next who waits tries again.
                wakeUp.ring();
                throw e;
            }
            for (CmNotice notice : notices.notices()) {
                if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
                    connections.put(
                            notice.connection(),
                            new DriverCmConnection(this, notice.connection(), notice.guest(), notice.path()));
                }
            }
            taken.addAll(notices.notices());
            if (notices.more() || notices.notices().size() > 1) {
                wakeUp.ring();
            }
        }
    }

    /** Null once the dispatcher is gone. */
    private @Nullable CmEvent event(CmNotice notice) throws VerbsException {
        DriverCmConnection connection = connections.get(notice.connection());
        if (connection != null && notice.type() == CmEvent.Type.CONNECT_REQUEST) {
            connection = attached(connection);
        }
        return connection == null ? null : connection.happened(notice);
    }
}
