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
 * An HCA on a UDP port of a loopback address with one user of one queue pair, both on the caller's
 * thread: what the protocol costs, without wake-ups between threads.
 */
final class WireEnd implements AutoCloseable {
    private static final int MTU = 4096;
    private static final int ENTRIES = 64;
    private static final int PSN = 0x42;
    private static final int BYTES = 32 << 20;

    /** Of the buffer. */
    static final int BUFFER_BYTES = 1 << 20;

    private static final Set<Access> ALL = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
    final long buffer;
    private final UdpPort port;
    private final Hca hca;
    private final int lid;
    private long allocated;
    private final Doorbell doorbell;
    private final Keyed region;
    private final CompletionRing completions;
    private final SendRing sends;
    private final Slotted qp;
    private final WorkCompletion completion = new WorkCompletion();

    WireEnd(int lid, int address, int otherLid, int otherAddress) throws PosixException {
        this.lid = lid;
        port = UdpPort.open(address, PacketPort.UDP_PORT, UdpPort.Settings.standard());
        HcaLimits limits = new HcaLimits(8, 8, 8, 8, 8, 256, 8, 8, lid, MTU);
        long contexts = allocate(Hca.contextMemoryBytes(limits));
        long status = allocate(4096);
        hca = new Hca(
                memory,
                () -> {},
                new NoSleep(),
                limits,
                PortSettings.standard(lid, MTU),
                new Network(
                        new WireAddresses(List.of(address), Map.of(otherLid, otherAddress)),
                        List.of(new UdpPacketPort(port))),
                contexts,
                status,
                new SplittableRandom(lid));
        hca.engine().useClock(System::nanoTime);
        long page = allocate(UarLayout.SIZE_BYTES);
        UarLayout.format(memory, page);
        int uar = hca.openUar(1, page, ShareInit.STANDARD).number();
        int pd = hca.allocatePd(1).number();
        doorbell = new Doorbell(memory, page, memory, status, () -> {});
        buffer = allocate(BUFFER_BYTES);
        region = hca.createRegion(new RegionInit(
                pd, buffer, BUFFER_BYTES, Access.mask(ALL), List.of(new MachineRun(buffer, BUFFER_BYTES)), 0));
        long cqRing = allocate(CqHeaderLayout.totalBytes(ENTRIES));
        int cq = hca.createCq(uar, cqRing, ENTRIES).number();
        completions = new CompletionRing(memory, cqRing, ENTRIES);
        QpLimits queue = QpLimits.of(ENTRIES / 2, ENTRIES / 2);
        QueueGeometry geometry = QueueGeometry.of(queue);
        long rings = allocate(geometry.totalBytes());
        qp = hca.createQp(new QpInit(uar, pd, QpType.RC, cq, cq, rings, queue, 1, 0));
        sends = new SendRing(memory, rings, geometry);
    }

    private long allocate(long bytes) {
        long address = allocated;
        allocated += (bytes + 4095) & ~4095L;
        return address;
    }

    /** Takes the queue pair to RTS. */
    void connect(WireEnd peer) {
        modify(QpAttributes.toInit(ALL));
        modify(QpAttributes.toRtr(new Endpoint(peer.lid, peer.qp.number(), PSN, 0, 0, 0)));
        modify(QpAttributes.toRts(PSN));
    }

    private void modify(QpAttributes attributes) {
        Outcome outcome = hca.modifyQp(qp.number(), attributes);
        if (outcome.status() != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(outcome.toString());
        }
    }

    /** Writes from an offset of the buffer to one of the peer's. */
    void write(WireEnd peer, long from, long to, int bytes) {
        long wqe = sends.slot(0);
        SendWqeLayout.writeHead(memory, wqe, 1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
        SendWqeLayout.writeRemote(memory, wqe, peer.buffer + to, peer.region.rkey());
        SendWqeLayout.writeSegmentCount(memory, wqe, 1);
        SendWqeLayout.writeSegment(memory, wqe, 0, buffer + from, bytes, region.lkey());
        sends.publish(1);
        doorbell.ring(qp.slot());
    }

    /** One turn of the engine; how much it did. */
    int turn() {
        return hca.engine().doWork(System.nanoTime());
    }

    /** Takes completions; how many. */
    int completed() {
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
        return taken;
    }

    @Override
    public void close() {
        port.close();
    }
}
