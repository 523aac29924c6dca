package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connected mode (RFC 4755): unicast packets to neighbours whose hardware address says that they take connections go by
 * one, which the first packet opens; each direction has its own. What has no connection, or not yet, goes as a datagram
 * if it is short enough. For whoever holds the link's lock, but {@link #next}.
 */
final class LinkConnections implements NeighbourSender {
    /** Connections of each direction. */
    static final int MOST = 32;

    /** Accepted ones of one guest, of which a sender needs one, and one more while it opens it again. */
    static final int MOST_OF_ONE = 2;

    /** A neighbour that refused, or was lost, is not called again for so long. */
    static final long PAUSE_NANOS = 1_000_000_000L;

    private static final int BACKLOG = 64;

    /** Number of the last request of a queue pair, which sends nothing. */
    private static final long LAST = -1;

    /** How long a packet waits for room in the queue of its connection, before it is dropped as by a switch. */
    private static final Duration ROOM = Duration.ofMillis(10);

    private final ConnectionManager manager;
    private final CmChannel channel;
    private final QueuePairs queuePairs;
    private final LinkSender sender;
    private final DatagramSender datagrams;
    private final TooLongPackets tooLong;
    private final LinkCounters counters;
    private final ConnectionTerms own;
    private final int datagramBytes;
    private final LongSupplier clock;

    /** By neighbour, the least recently used first. */
    private final Map<HardwareAddress, PeerConnection> outgoing = new LinkedHashMap<>(MOST, 0.75f, true);

    private final Map<Integer, PeerConnection> byQpn = new HashMap<>();
    private final Map<CmConnection, PeerConnection> byConnection = new HashMap<>();
    private final Map<CmConnection, Accepted> incoming = new HashMap<>();
    private final Map<HardwareAddress, Pause> pauses = new HashMap<>();

    /** Queue pairs in ERR whose last request was not flushed yet. */
    private final Map<Integer, RcQueuePair> ending = new HashMap<>();

    /** Until when a neighbour is not called, and whether it has rejected a call. */
    private record Pause(long untilNanos, boolean isRejected) {}

    /** A connection that a neighbour opened; nothing is sent by it. */
    private record Accepted(RcQueuePair qp, Gid from) {}

    /**
     * Makes queue pairs of connections.
     *
     * @param partition index of the link's P_Key
     */
    record QueuePairs(
            ProtectionDomain pd,
            CompletionQueue sends,
            CompletionQueue receives,
            ConnectedReceives shared,
            int partition) {
        /** One in INIT, in the link's partition, with room for its last request. */
        RcQueuePair create() throws VerbsException {
            RcQueuePair made =
                    pd.createRc(QpLimits.of(PeerConnection.MOST_POSTED + 1, 1), sends, receives, shared.queue());
            try {
                made.modify(QpAttributes.toInit(Set.of(Access.LOCAL_WRITE)).with(QpAttribute.PKEY_INDEX, partition));
                return made;
            } catch (VerbsException e) {
                made.close();
                throw e;
            }
        }
    }

    /**
     * Takes connections from now on.
     *
     * @param own what this node says of itself to its neighbours
     * @param datagramBytes of the longest frame that goes as a datagram
     */
    LinkConnections(
            Context context,
            QueuePairs queuePairs,
            DatagramSender datagrams,
            TooLongPackets tooLong,
            LinkCounters counters,
            ConnectionTerms own,
            int datagramBytes,
            LongSupplier clock)
            throws VerbsException {
        this.manager = ConnectionManager.of(context);
        this.channel = manager.createChannel();
        this.queuePairs = queuePairs;
        this.sender = datagrams.sender();
        this.datagrams = datagrams;
        this.tooLong = tooLong;
        this.counters = counters;
        this.own = own;
        this.datagramBytes = datagramBytes;
        this.clock = clock;
        CmListener _ = manager.listen(channel, ConnectionTerms.serviceId(own.qpn()), BACKLOG);
    }

    /** The next event of a connection, for {@link #handle}; null if there is none for that long. Without the lock. */
    @Nullable
    CmEvent next(Duration timeout) throws VerbsException {
        return channel.await(timeout).orElse(null);
    }

    @Override
    public void send(int slot, int lengthBytes, HardwareAddress to) throws VerbsException {
        PeerConnection peer = to.isReliableConnected() ? connection(to) : null;
        if (peer != null && peer.isReady()) {
            send(peer, slot, lengthBytes);
        } else if (lengthBytes <= datagramBytes) {
            datagrams.send(slot, lengthBytes, to);
        } else if (peer == null && !isPaused(to)) {
            tooLong.drop(slot, ConnectionTerms.mtuBytes(datagramBytes));
        } else if (peer == null || isScarce() || !peer.hold(slot, lengthBytes)) {
            counters.count(LinkCounters.Drop.UNREACHABLE);
            sender.release(slot);
        }
    }

    /** Whether a neighbour was lost lately: it takes long packets again soon, unless it has rejected a call. */
    private boolean isPaused(HardwareAddress to) {
        Pause pause = pauses.get(to);
        return pause != null && !pause.isRejected();
    }

    /** Packets that wait must not take the room of those that can go. */
    private boolean isScarce() {
        return sender.free() < sender.slots().count() / 2;
    }

    private void send(PeerConnection peer, int slot, int lengthBytes) throws VerbsException {
        if (lengthBytes > peer.frameBytes()) {
            tooLong.drop(slot, ConnectionTerms.mtuBytes(peer.frameBytes()));
            return;
        }
        if (peer.isFull()) {
            boolean _ = sender.reclaim(ROOM);
        }
        if (peer.isClosed() || peer.isFull() || !peer.post(slot, lengthBytes)) {
            counters.count(LinkCounters.Drop.NOT_SENT);
            sender.release(slot);
        }
    }

    /** That to a neighbour, on its way maybe; null if it is not to be called now. */
    private @Nullable PeerConnection connection(HardwareAddress to) {
        PeerConnection known = outgoing.get(to);
        if (known != null) {
            return known;
        }
        Pause pause = pauses.get(to);
        if (pause != null && clock.getAsLong() - pause.untilNanos() < 0) {
            return null;
        }
        pauses.remove(to);
        if (outgoing.size() == MOST) {
            close(outgoing.values().iterator().next());
        }
        try {
            return open(to);
        } catch (VerbsException e) {
            pause(to, false);
            return null;
        }
    }

    private PeerConnection open(HardwareAddress to) throws VerbsException {
        RcQueuePair qp = queuePairs.create();
        CmConnection connection = null;
        try {
            connection = manager.resolve(channel, Destination.gid(to.gid()));
            connection.connect(qp, ConnectionTerms.serviceId(to.qpn()), parameters());
        } catch (VerbsException e) {
            end(qp, connection);
            throw e;
        }
        PeerConnection opened = new PeerConnection(to, qp, connection, sender);
        outgoing.put(to, opened);
        byQpn.put(qp.qpn(), opened);
        byConnection.put(connection, opened);
        return opened;
    }

    private CmParameters parameters() {
        return CmParameters.standard().withPrivateData(own.privateData());
    }

    /** A request of a connection's queue pair is done; its number is its slot. */
    void completed(WorkCompletion completion) {
        if (completion.wrId() == LAST) {
            destroy(ending.remove(completion.qpn()));
            return;
        }
        PeerConnection peer = byQpn.get(completion.qpn());
        if (peer == null) {
            return;
        }
        peer.completed((int) completion.wrId());
        if (completion.status() != VerbsStatus.SUCCESS) {
            counters.count(LinkCounters.Drop.NOT_SENT);
            if (!peer.isClosed()) {
                lost(peer, false);
            }
        }
    }

    /** Something happened to a connection. */
    void handle(CmEvent event) throws VerbsException {
        PeerConnection peer = byConnection.get(event.connection());
        switch (event.type()) {
            case CONNECT_REQUEST -> answer(event);
            case ESTABLISHED -> established(peer, event.privateData());
            case REJECTED, UNREACHABLE, CONNECT_ERROR, DISCONNECTED -> {
                if (peer != null) {
                    lost(peer, event.type() == CmEvent.Type.REJECTED);
                }
                Accepted accepted = incoming.remove(event.connection());
                if (accepted != null) {
                    end(accepted.qp(), event.connection());
                }
            }
            case CONNECT_RESPONSE, TIMEWAIT_EXIT -> {}
        }
    }

    private void established(@Nullable PeerConnection peer, PrivateData said) throws VerbsException {
        if (peer == null) {
            return;
        }
        ConnectionTerms terms = ConnectionTerms.parse(said);
        if (terms == null) {
            lost(peer, false);
            return;
        }
        peer.ready(Math.min(terms.frameBytes(), own.frameBytes()));
        for (PeerConnection.Held packet : peer.takeHeld()) {
            send(peer, packet.slot(), packet.lengthBytes());
        }
    }

    private void answer(CmEvent request) {
        CmConnection connection = request.connection();
        RcQueuePair qp = null;
        try {
            if (isTooMany(request.gid()) || ConnectionTerms.parse(request.privateData()) == null) {
                connection.reject(PrivateData.none());
                close(connection);
                return;
            }
            qp = queuePairs.create();
            connection.accept(qp, parameters());
            incoming.put(connection, new Accepted(qp, request.gid()));
        } catch (VerbsException e) {
            // The caller calls again, or sends datagrams.
            counters.count(LinkCounters.Drop.REFUSED);
            end(qp, connection);
        }
    }

    private boolean isTooMany(Gid caller) {
        return incoming.size() == MOST
                || incoming.values().stream()
                                .filter(one -> one.from().equals(caller))
                                .count()
                        == MOST_OF_ONE;
    }

    /** The next packet after a pause opens it again. */
    private void lost(PeerConnection peer, boolean isRejected) {
        close(peer);
        pause(peer.to(), isRejected);
    }

    private void pause(HardwareAddress neighbour, boolean isRejected) {
        if (pauses.size() == MOST) {
            pauses.clear();
        }
        pauses.put(neighbour, new Pause(clock.getAsLong() + PAUSE_NANOS, isRejected));
    }

    private void close(PeerConnection peer) {
        outgoing.values().remove(peer);
        byConnection.values().remove(peer);
        peer.close();
        end(peer.qp(), peer.connection());
    }

    /**
     * Ends a connection and destroys its queue pair when all of it is flushed: what it has posted, and the shared
     * receive of a message that broke off, which nobody would see again otherwise.
     */
    private void end(@Nullable RcQueuePair qp, @Nullable CmConnection connection) {
        if (connection != null) {
            close(connection);
        }
        if (qp == null) {
            return;
        }
        try {
            qp.modify(QpAttributes.to(QpState.ERR));
            if (qp.sends().start().send(LAST, SendFlags.SIGNALLED).post() == VerbsStatus.SUCCESS) {
                ending.put(qp.qpn(), qp);
                return;
            }
        } catch (VerbsException e) {
            // What has no way to ERR has taken nothing.
        }
        destroy(qp);
    }

    private void destroy(@Nullable RcQueuePair qp) {
        if (qp == null) {
            return;
        }
        close(qp);
        PeerConnection peer = byQpn.remove(qp.qpn());
        if (peer != null) {
            peer.releaseAll();
        }
    }

    /** Closes what may be gone with its peer already. */
    private static void close(VerbsObject object) {
        try {
            object.close();
        } catch (VerbsException e) {
            System.err.println("ipoib: " + object.describe() + " is not closed: " + e.getMessage());
        }
    }
}
