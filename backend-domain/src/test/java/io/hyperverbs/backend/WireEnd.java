package io.hyperverbs.backend;

import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * An HCA on a UDP port of a loopback address with one user of one queue pair, both on the caller's
 * thread: what the protocol costs, without wake-ups between threads.
 */
final class WireEnd implements AutoCloseable {
    private static final int UNDER_WAY = 32;
    private static final int BYTES = 32 << 20;

    /** Of the buffer. */
    static final int BUFFER_BYTES = 1 << 20;

    final MemorySegment memory;
    final long buffer;
    private final UdpHca hca;
    private final int lid;
    private final WriteQueue queue;

    WireEnd(int lid, int address, int otherLid, int otherAddress) throws PosixException {
        this.lid = lid;
        hca = new UdpHca(BYTES, lid, address, Map.of(otherLid, otherAddress));
        memory = hca.memory;
        queue = new WriteQueue(hca, hca.guest(1), QpLimits.of(UNDER_WAY, UNDER_WAY), BUFFER_BYTES);
        buffer = queue.buffer;
    }

    /** Takes the queue pair to RTS. */
    void connect(WireEnd peer) {
        hca.connect(queue.qp.number(), peer.lid, peer.queue.qp.number());
    }

    /** Writes from an offset of the buffer to one of the peer's. */
    void write(WireEnd peer, long from, long to, int bytes) {
        queue.write(buffer + from, peer.buffer + to, peer.queue.region.rkey(), bytes);
    }

    /** One turn of the engine; how much it did. */
    int turn() {
        return hca.turn();
    }

    /** Takes completions; how many. */
    int completed() {
        return queue.completed();
    }

    @Override
    public void close() {
        hca.close();
    }
}
