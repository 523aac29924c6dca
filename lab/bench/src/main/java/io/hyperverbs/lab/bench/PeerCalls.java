package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Connections to guests by their names, also of other hosts, which the store does not reach. One thread. */
final class PeerCalls implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final long CALL_AGAIN_MILLIS = 100;

    private final ConnectionManager manager;
    private final long serviceId;
    private final CmChannel channel;
    /** Calls that came while another was answered. */
    private final Queue<CmEvent> waiting = new ArrayDeque<>();

    private @Nullable CmListener listener;

    PeerCalls(Context context, long serviceId) throws VerbsException {
        this.manager = ConnectionManager.of(context);
        this.serviceId = serviceId;
        this.channel = manager.createChannel();
    }

    /**
     * Calls a guest until it answers: it may not be there yet, or not listen yet.
     *
     * @return ESTABLISHED, or REJECTED by the peer's program; its taker closes the connection
     * @throws VerbsException ETIMEDOUT after {@code patience} without an answer; else what the connection manager says
     */
    CmEvent call(String peer, QueuePair qp, CmParameters parameters, Duration patience)
            throws VerbsException, InterruptedException {
        long endNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            Optional<CmConnection> found = resolve(peer);
            if (found.isPresent()) {
                found.get().connect(qp, serviceId, parameters);
                CmEvent event = channel.await(patience).orElseThrow(() -> silent(peer));
                boolean rejected = event.type() == CmEvent.Type.REJECTED;
                if (event.type() == CmEvent.Type.ESTABLISHED
                        || (rejected && event.reject() == RejectReason.CONSUMER_DEFINED)) {
                    return event;
                }
                found.get().close();
                if (!rejected || event.reject() != RejectReason.INVALID_SERVICE_ID) {
                    throw new VerbsException(event.status(), peer + ": " + event.type() + " " + event.reject());
                }
            }
            if (System.nanoTime() - endNanos > 0) {
                throw silent(peer);
            }
            Thread.sleep(CALL_AGAIN_MILLIS);
        }
    }

    private static VerbsException silent(String peer) {
        return new VerbsException(VerbsStatus.ETIMEDOUT, "nobody waits to be called in " + peer);
    }

    /** Empty while there is no guest of that name. */
    private Optional<CmConnection> resolve(String peer) throws VerbsException {
        try {
            return Optional.of(manager.resolve(channel, Destination.guest(peer)));
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Waits to be called.
     *
     * @return CONNECT_REQUEST, whose taker accepts or rejects the connection and closes it; empty after {@code wait}, or if
     *     another program of this domain is called in place of this one
     */
    Optional<CmEvent> nextCall(Duration wait) throws VerbsException {
        if (listener == null) {
            listener = listen();
        }
        CmEvent earlier = waiting.poll();
        Optional<CmEvent> event = earlier == null ? channel.await(wait) : Optional.of(earlier);
        return event.filter(one -> one.type() == CmEvent.Type.CONNECT_REQUEST);
    }

    /** Null while another program of this domain listens. */
    private @Nullable CmListener listen() throws VerbsException {
        try {
            return manager.listen(channel, serviceId, BACKLOG);
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.EBUSY) {
                throw e;
            }
            return null;
        }
    }

    /** Accepts a call and waits until the caller knows. Its queue pair has its receives. */
    void accept(CmConnection connection, QueuePair qp, CmParameters parameters, Duration patience)
            throws VerbsException {
        connection.accept(qp, parameters);
        awaitEvent(CmEvent.Type.ESTABLISHED, connection, patience);
    }

    /** Ends a connection from this side, and waits until the peer has done so too, or for {@code patience}. */
    void hangUp(CmConnection connection, Duration patience) throws VerbsException {
        connection.disconnect(PrivateData.none());
        var _ = channel.await(patience);
    }

    /** Waits until the peer has ended a connection, which says that it has all it wants, and ends it here. */
    void awaitHangUp(CmConnection connection, Duration patience) throws VerbsException {
        awaitEvent(CmEvent.Type.DISCONNECTED, connection, patience);
        connection.disconnect(PrivateData.none());
    }

    /** Other calls may come meanwhile: they are kept. */
    private void awaitEvent(CmEvent.Type type, CmConnection connection, Duration patience) throws VerbsException {
        long endNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
            CmEvent event = channel.await(left).orElseThrow(() -> {
                return new VerbsException(VerbsStatus.ETIMEDOUT, "no " + type + " from " + connection.guest());
            });
            if (event.connection().equals(connection)) {
                if (event.type() != type) {
                    throw new VerbsException(event.status(), connection.guest() + ": " + event.type());
                }
                return;
            }
            if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
                waiting.add(event);
            }
        }
    }

    /** What the peer's program said with an event. On the wire it is filled up with zero bytes. */
    static String text(CmEvent event) {
        String text = event.privateData().text();
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public void close() throws VerbsException {
        CmListener listening = listener;
        if (listening != null) {
            listening.close();
        }
        channel.close();
    }
}
