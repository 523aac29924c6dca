package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import io.hyperverbs.upper.job.link.JobEnd;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one node: buffers to send from, each free again when its work request has ended; a pool of receives,
 * used and posted again in turn. Most sends have no completion, every so many do (Liss 2003 §3.1). One thread at a time.
 */
final class NodeLink implements JobEnd {
    /** A work request carries the node in the upper bits, and whether it is a receive; below that its number. */
    static final int NODE_SHIFT = 48;

    static final long RECEIVE = 1L << 47;

    private static final long NUMBER_MASK = RECEIVE - 1;
    private static final int SIGNALS_PER_QUEUE = 4;

    private final VerbsNetwork network;
    private final int peer;
    private final NodeSizes sizes;
    private final RegisteredBuffer sendFrames;
    private final RegisteredBuffer receiveFrames;
    private final RcQueuePair qp;
    private final SendPoster sends;
    private final ReceivePoster receives;
    private final int inlineBytes;
    private final Queue<Fetch> fetches = new ArrayDeque<>();
    private @Nullable NodeTerms terms;
    private @Nullable CmConnection connection;
    private long posted;
    private long completed;

    private record Fetch(long number, int token) {}

    NodeLink(VerbsNetwork network, int peer, QpAttributes init, NodeSizes sizes) throws VerbsException {
        this.network = network;
        this.peer = peer;
        this.sizes = sizes;
        this.sendFrames = network.register((long) sizes.sends() * sizes.frameBytes(), EnumSet.noneOf(Access.class));
        this.receiveFrames =
                network.register((long) sizes.receives() * sizes.frameBytes(), EnumSet.of(Access.LOCAL_WRITE));
        this.qp = network.createQp(QpLimits.of(sizes.sends(), sizes.receives()));
        this.sends = qp.sends();
        this.receives = qp.receives();
        this.inlineBytes = qp.limits().inlineBytes();
        qp.modify(init);
        receives.start();
        for (int slot = 0; slot < sizes.receives(); slot++) {
            addReceive(slot);
        }
        postReceives();
    }

    @Override
    public RcQueuePair qp() {
        return qp;
    }

    @Override
    public byte[] terms() {
        return network.terms().bytes();
    }

    @Override
    public void connected(CmConnection by, ByteBuffer peerTerms) throws VerbsException {
        connection = by;
        terms = NodeTerms.parse(peerTerms)
                .filter(network.terms()::fits)
                .orElseThrow(() -> new VerbsException(
                        VerbsStatus.ECONNREFUSED, name() + " has chosen other options than this node"));
        network.add(peer, this);
    }

    private String name() {
        return network.name(peer);
    }

    private NodeTerms peerTerms() {
        if (terms == null) {
            throw new IllegalStateException("not connected to " + name());
        }
        return terms;
    }

    /** Whether a work request can be posted. */
    boolean hasSlot() {
        return posted - completed < sizes.sends();
    }

    /** Whether all that was posted has ended. */
    boolean isQuiet() {
        return posted == completed;
    }

    void send(ControlMessage message) {
        int slot = slot();
        NodeFrame.write(frame(sendFrames, slot), message);
        sendFrame(slot, NodeFrame.HEADER_BYTES);
    }

    /** Sends bytes of the shared memory in a message; at most {@link NodeSizes#dataBytes}. */
    void sendData(MemorySegment memory, long offsetBytes, int lengthBytes) {
        int slot = slot();
        NodeFrame.writeData(frame(sendFrames, slot), memory, offsetBytes, lengthBytes);
        sendFrame(slot, NodeFrame.HEADER_BYTES + lengthBytes);
    }

    private int slot() {
        return (int) (posted % sizes.sends());
    }

    private MemorySegment frame(RegisteredBuffer frames, int slot) {
        return frames.bytes().asSlice((long) slot * sizes.frameBytes(), sizes.frameBytes());
    }

    private void sendFrame(int slot, int lengthBytes) {
        long offset = (long) slot * sizes.frameBytes();
        sends.start();
        sends.send(next(), flags());
        if (lengthBytes <= inlineBytes) {
            sends.inline(sendFrames.bytes(), offset, lengthBytes);
        } else {
            sends.sge(sendFrames.lkey(), sendFrames.address() + offset, lengthBytes);
        }
        post();
    }

    /** Copies bytes to the same place in the peer's memory. */
    void write(RegisteredBuffer memory, long offsetBytes, int lengthBytes) {
        sends.start();
        sends.rdmaWrite(
                        next(),
                        flags(),
                        peerTerms().address() + offsetBytes,
                        peerTerms().rkey())
                .sge(memory.lkey(), memory.address() + offsetBytes, lengthBytes);
        post();
    }

    /** Copies bytes from the same place in the peer's memory; {@link #ended} tells when they are there. */
    void read(RegisteredBuffer memory, long offsetBytes, int lengthBytes, int token) {
        fetches.add(new Fetch(posted + 1, token));
        sends.start();
        sends.rdmaRead(
                        next(),
                        SendFlags.SIGNALLED,
                        peerTerms().address() + offsetBytes,
                        peerTerms().rkey())
                .sge(memory.lkey(), memory.address() + offsetBytes, lengthBytes);
        post();
    }

    /** Posts an empty write whose completion says that all before it has arrived. */
    void flush() {
        sends.start();
        sends.rdmaWrite(
                next(), SendFlags.SIGNALLED, peerTerms().address(), peerTerms().rkey());
        post();
    }

    private long next() {
        return (long) peer << NODE_SHIFT | posted + 1;
    }

    private int flags() {
        return (posted + 1) % (sizes.sends() / SIGNALS_PER_QUEUE) == 0 ? SendFlags.SIGNALLED : SendFlags.NONE;
    }

    private void post() {
        if (sends.post() != VerbsStatus.SUCCESS) {
            throw DsmException.gone("cannot send to " + name() + ": " + qp.explainPost());
        }
        posted++;
    }

    /** A work request has ended, and all of the send queue before it. */
    void noteEnd(long workRequest) {
        if ((workRequest & RECEIVE) == 0) {
            completed = Math.max(completed, workRequest & NUMBER_MASK);
        }
    }

    /** As {@link #noteEnd}; says which reads have ended. */
    void ended(long workRequest, Queue<NodeArrival> arrived) {
        noteEnd(workRequest);
        while (!fetches.isEmpty() && fetches.element().number() <= completed) {
            arrived.add(new NodeArrival(peer, null, fetches.remove().token()));
        }
    }

    /** Takes a message that has arrived, and posts its buffer again. */
    void take(long workRequest, MemorySegment memory, Queue<NodeArrival> arrived) {
        int slot = (int) (workRequest & NUMBER_MASK);
        MemorySegment frame = frame(receiveFrames, slot);
        if (NodeFrame.kind(frame) == NodeFrame.DATA) {
            if (!NodeFrame.copyData(frame, memory)) {
                throw DsmException.of(name() + " has sent data to no place");
            }
        } else {
            ControlMessage message = NodeFrame.message(frame)
                    .orElseThrow(() -> DsmException.of(name() + " has sent what is no message"));
            arrived.add(new NodeArrival(peer, message, 0));
        }
        receives.start();
        addReceive(slot);
        postReceives();
    }

    private void addReceive(int slot) {
        receives.receive((long) peer << NODE_SHIFT | RECEIVE | slot);
        receives.sge(
                receiveFrames.lkey(), receiveFrames.address() + (long) slot * sizes.frameBytes(), sizes.frameBytes());
    }

    private void postReceives() {
        if (receives.post() != VerbsStatus.SUCCESS) {
            throw DsmException.gone("cannot receive from " + name() + ": " + qp.explainPost());
        }
    }

    @Override
    public void close() throws VerbsException {
        if (connection != null) {
            connection.close();
        }
        qp.close();
        sendFrames.close();
        receiveFrames.close();
    }
}
