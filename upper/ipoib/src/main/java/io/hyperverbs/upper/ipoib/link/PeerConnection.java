package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A connection to a neighbour, by which packets go to it: first on its way, then with a queue pair in RTS. For whoever
 * holds the link's lock.
 */
final class PeerConnection {
    /** Packets that the HCA may have at a time, so that one neighbour does not hold all slots. */
    static final int MOST_POSTED = 32;

    /** Packets that wait for the connection: the oldest are of most use to TCP, which repeats the others. */
    private static final int MOST_HELD = 3;

    /** A packet that waits for the connection. */
    record Held(int slot, int lengthBytes) {}

    private final HardwareAddress to;
    private final RcQueuePair qp;
    private final CmConnection connection;
    private final LinkSender sender;
    private final BitSet posted = new BitSet();
    private final List<Held> held = new ArrayList<>();
    private int frameBytes;
    private boolean isClosed;

    PeerConnection(HardwareAddress to, RcQueuePair qp, CmConnection connection, LinkSender sender) {
        this.to = to;
        this.qp = qp;
        this.connection = connection;
        this.sender = sender;
    }

    HardwareAddress to() {
        return to;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether packets can go. */
    boolean isReady() {
        return frameBytes > 0 && !isClosed;
    }

    /** Bytes of the longest frame that the neighbour takes; 0 before the connection is there. */
    int frameBytes() {
        return frameBytes;
    }

    /** The connection is there. */
    void ready(int longestFrameBytes) {
        frameBytes = longestFrameBytes;
    }

    boolean isFull() {
        return posted.cardinality() == MOST_POSTED;
    }

    /** Keeps a packet until the connection is there; whether there was room. */
    boolean hold(int slot, int lengthBytes) {
        return held.size() < MOST_HELD && held.add(new Held(slot, lengthBytes));
    }

    /** Packets that waited, which are the caller's now. */
    List<Held> takeHeld() {
        List<Held> taken = List.copyOf(held);
        held.clear();
        return taken;
    }

    /** Sends a packet; it is neither full nor closed. False if the queue pair does not take it. */
    boolean post(int slot, int lengthBytes) {
        SendPoster poster = qp.sends().start();
        VerbsStatus status = poster.send(slot, SendFlags.SIGNALLED)
                .sge(sender.slots().lkey(), sender.slots().address(slot), lengthBytes)
                .post();
        if (status == VerbsStatus.SUCCESS) {
            posted.set(slot);
        }
        return status == VerbsStatus.SUCCESS;
    }

    /** The HCA is done with a slot. */
    void completed(int slot) {
        if (posted.get(slot)) {
            posted.clear(slot);
            sender.release(slot);
        }
    }

    RcQueuePair qp() {
        return qp;
    }

    CmConnection connection() {
        return connection;
    }

    /** Nothing is sent by it any more; what waits goes back to the sender. */
    void close() {
        isClosed = true;
        takeHeld().forEach(packet -> sender.release(packet.slot()));
    }

    /** The queue pair is destroyed: the HCA reads nothing of it any more. */
    void releaseAll() {
        posted.stream().forEach(sender::release);
        posted.clear();
    }
}
