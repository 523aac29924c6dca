package io.hyperverbs.backend;

import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;
import java.util.Map;

/**
 * An HCA on a UDP port with two guests: one has queue pairs of RC, connected to a peer that is not there, and of UD; the
 * other writes from one queue pair of its own to the next. All on the caller's thread.
 */
final class FloodedHca implements AutoCloseable {
    static final int QKEY = 0x1234;

    private static final List<Counter> SEEN = List.of(
            Counter.RX_DROPPED_PACKETS,
            Counter.RX_ICRC_ENCAPSULATED,
            Counter.UNCONNECTED_REQUESTS,
            Counter.RX_DROPPED_MESSAGES,
            Counter.RP_CNP_HANDLED,
            Counter.DUPLICATE_REQUEST,
            Counter.OUT_OF_SEQUENCE);
    private static final int LID = 2;
    private static final int PEER_LID = 1;
    private static final int UNDER_WAY = 32;
    private static final int CQES = 64;

    private final UdpHca hca;
    private final WriteQueue writes;
    final int rcQpn;
    final int udQpn;
    private int underWay;

    FloodedHca(int address, int peerAddress) throws PosixException {
        hca = new UdpHca(8 << 20, LID, address, Map.of(PEER_LID, peerAddress));
        UdpHca.Guest target = hca.guest(1);
        int cq = hca.hca
                .createCq(target.uar(), hca.allocate(CqHeaderLayout.totalBytes(CQES)), CQES)
                .number();
        QpLimits few = QpLimits.of(4, 4);
        rcQpn = hca.queuePair(target, QpType.RC, cq, few).number();
        hca.connect(rcQpn, PEER_LID, 77);
        udQpn = hca.queuePair(target, QpType.UD, cq, few).number();
        hca.modify(udQpn, QpAttributes.toUdInit(QKEY));
        hca.modify(udQpn, QpAttributes.to(QpState.RTR));

        UdpHca.Guest writer = hca.guest(2);
        writes = new WriteQueue(hca, writer, QpLimits.of(UNDER_WAY, 4), 2 * UdpHca.MTU);
        Slotted to = hca.queuePair(writer, QpType.RC, writes.cq, few);
        hca.connect(writes.qp.number(), LID, to.number());
        hca.connect(to.number(), LID, writes.qp.number());
    }

    /** One turn of the engine. */
    void turn() {
        int _ = hca.turn();
    }

    /** Takes what is complete and keeps as many writes of that length under way as there is room for; how many ended. */
    int write(int bytes) {
        int taken = writes.completed();
        underWay -= taken;
        for (; underWay < UNDER_WAY; underWay++) {
            writes.write(writes.buffer, writes.buffer + UdpHca.MTU, writes.region.rkey(), bytes);
        }
        return taken;
    }

    /** Packets of the flood that the HCA has looked at, whatever became of them. */
    long packets() {
        long seen = 0;
        for (Counter counter : SEEN) {
            seen += ContextMemoryLayout.counter(hca.memory, 0, counter);
        }
        return seen;
    }

    @Override
    public void close() {
        hca.close();
    }
}
