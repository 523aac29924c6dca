package io.hyperverbs.backend;

import io.hyperverbs.backend.testing.NoSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.HcaCommands.QpInit;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

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
    static final int PSN = 0x42;
    private static final int LID = 2;
    private static final int PEER_LID = 1;
    private static final int MTU = 4096;
    private static final int UNDER_WAY = 32;
    private static final int CQES = 64;
    private static final Set<Access> ALL = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final MemorySegment memory = Arena.ofAuto().allocate(8 << 20, 4096);
    private final UdpPort port;
    private final Hca hca;
    private final long status;
    private long allocated;
    private final WorkCompletion completion = new WorkCompletion();
    final int rcQpn;
    final int udQpn;

    // The guest that writes.
    private final Doorbell doorbell;
    private final CompletionRing completions;
    private final SendRing sends;
    private final Slotted from;
    private final Keyed region;
    private final long buffer;
    private int underWay;

    /** A guest's page of doorbells and PD. */
    private record Guest(int uar, int pd, long page) {}

    FloodedHca(int address, int peerAddress) throws PosixException {
        port = UdpPort.open(address, PacketPort.UDP_PORT, UdpPort.Settings.standard());
        HcaLimits limits = new HcaLimits(8, 8, 8, 8, 8, 256, 8, 8, LID, MTU);
        long contexts = allocate(Hca.contextMemoryBytes(limits));
        status = allocate(4096);
        WireAddresses addresses = new WireAddresses(List.of(address), Map.of(PEER_LID, peerAddress));
        hca = new Hca(
                memory,
                () -> {},
                new NoSleep(),
                limits,
                PortSettings.standard(LID, MTU),
                new Network(addresses, List.of(new UdpPacketPort(port))),
                contexts,
                status,
                new SplittableRandom(1));
        hca.engine().useClock(System::nanoTime);
        Guest target = guest(1);
        int cq = hca.createCq(target.uar, allocate(CqHeaderLayout.totalBytes(CQES)), CQES)
                .number();
        QpLimits few = QpLimits.of(4, 4);
        rcQpn = queuePair(
                        target,
                        QpType.RC,
                        cq,
                        few,
                        allocate(QueueGeometry.of(few).totalBytes()))
                .number();
        connect(rcQpn, PEER_LID, 77);
        udQpn = queuePair(
                        target,
                        QpType.UD,
                        cq,
                        few,
                        allocate(QueueGeometry.of(few).totalBytes()))
                .number();
        modify(udQpn, QpAttributes.toUdInit(QKEY));
        modify(udQpn, QpAttributes.to(QpState.RTR));

        Guest writer = guest(2);
        doorbell = new Doorbell(memory, writer.page, memory, status, () -> {});
        buffer = allocate(2 * MTU);
        region = hca.createRegion(new RegionInit(
                writer.pd, buffer, 2 * MTU, Access.mask(ALL), List.of(new MachineRun(buffer, 2 * MTU)), 0));
        long cqRing = allocate(CqHeaderLayout.totalBytes(CQES));
        int own = hca.createCq(writer.uar, cqRing, CQES).number();
        completions = new CompletionRing(memory, cqRing, CQES);
        QpLimits many = QpLimits.of(UNDER_WAY, 4);
        QueueGeometry geometry = QueueGeometry.of(many);
        long rings = allocate(geometry.totalBytes());
        from = queuePair(writer, QpType.RC, own, many, rings);
        Slotted to = queuePair(
                writer, QpType.RC, own, few, allocate(QueueGeometry.of(few).totalBytes()));
        connect(from.number(), LID, to.number());
        connect(to.number(), LID, from.number());
        sends = new SendRing(memory, rings, geometry);
    }

    private Guest guest(int domain) {
        long page = allocate(UarLayout.SIZE_BYTES);
        UarLayout.format(memory, page);
        return new Guest(
                hca.openUar(domain, page, ShareInit.STANDARD).number(),
                hca.allocatePd(domain).number(),
                page);
    }

    private Slotted queuePair(Guest guest, QpType type, int cq, QpLimits limits, long rings) {
        return hca.createQp(new QpInit(guest.uar, guest.pd, type, cq, cq, rings, limits, 1, 0));
    }

    private void connect(int qpn, int lid, int peerQpn) {
        modify(qpn, QpAttributes.toInit(ALL));
        modify(qpn, QpAttributes.toRtr(new Endpoint(lid, peerQpn, PSN, 0, 0, 0)));
        modify(qpn, QpAttributes.toRts(PSN));
    }

    private void modify(int qpn, QpAttributes attributes) {
        Outcome outcome = hca.modifyQp(qpn, attributes);
        if (outcome.status() != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(outcome.toString());
        }
    }

    private long allocate(long bytes) {
        long address = allocated;
        allocated += (bytes + 4095) & ~4095L;
        return address;
    }

    /** One turn of the engine. */
    void turn() {
        int _ = hca.engine().doWork(System.nanoTime());
    }

    /** Takes what is complete and keeps as many writes of that length under way as there is room for; how many ended. */
    int write(int bytes) {
        int taken = 0;
        while (completions.hasNext()) {
            completions.read(completion);
            sends.freeUpTo(completions.sqHead());
            completions.advance();
            completions.publishConsumer();
            if (completion.status() != VerbsStatus.SUCCESS) {
                throw new IllegalStateException(completion.explain());
            }
            taken++;
        }
        underWay -= taken;
        for (; underWay < UNDER_WAY; underWay++) {
            long wqe = sends.slot(0);
            SendWqeLayout.writeHead(memory, wqe, 1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
            SendWqeLayout.writeRemote(memory, wqe, buffer + MTU, region.rkey());
            SendWqeLayout.writeSegmentCount(memory, wqe, 1);
            SendWqeLayout.writeSegment(memory, wqe, 0, buffer, bytes, region.lkey());
            sends.publish(1);
            doorbell.ring(from.slot());
        }
        return taken;
    }

    /** Packets of the flood that the HCA has looked at, whatever became of them. */
    long packets() {
        long seen = 0;
        for (Counter counter : SEEN) {
            seen += ContextMemoryLayout.counter(memory, 0, counter);
        }
        return seen;
    }

    @Override
    public void close() {
        port.close();
    }
}
