package io.hyperverbs.backend;

import io.hyperverbs.backend.testing.NoSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.HcaCommands.QpInit;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.QueueGeometry;
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
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** An HCA on a UDP port of a loopback address, whose engine has turns on the caller's thread, for what measures. */
final class UdpHca implements AutoCloseable {
    static final int MTU = 4096;
    static final int PSN = 0x42;
    static final Set<Access> ALL = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    final MemorySegment memory;
    final long status;
    final Hca hca;
    private final UdpPort port;
    private long allocated;

    /** A guest's page of doorbells and PD. */
    record Guest(int uar, int pd, long page) {}

    /**
     * @param bytes of the machine's memory
     * @param peers addresses of other HCAs by their LIDs
     */
    UdpHca(int bytes, int lid, int address, Map<Integer, Integer> peers) throws PosixException {
        memory = Arena.ofAuto().allocate(bytes, 4096);
        port = UdpPort.open(address, PacketPort.UDP_PORT, UdpPort.Settings.standard());
        HcaLimits limits = new HcaLimits(8, 8, 8, 8, 8, 256, 8, 8, lid, MTU);
        long contexts = allocate(Hca.contextMemoryBytes(limits));
        status = allocate(4096);
        hca = new Hca(
                memory,
                () -> {},
                new NoSleep(),
                limits,
                PortSettings.standard(lid, MTU),
                new Network(new WireAddresses(List.of(address), peers), List.of(new UdpPacketPort(port))),
                contexts,
                status,
                new SplittableRandom(lid));
        hca.engine().useClock(System::nanoTime);
    }

    long allocate(long bytes) {
        long address = allocated;
        allocated += (bytes + 4095) & ~4095L;
        return address;
    }

    Guest guest(int domain) {
        long page = allocate(UarLayout.SIZE_BYTES);
        UarLayout.format(memory, page);
        return new Guest(
                hca.openUar(
                                domain,
                                page,
                                ShareInit.STANDARD,
                                PortSettings.standard(1, MTU).pkeyTable())
                        .number(),
                hca.allocatePd(domain).number(),
                page);
    }

    /** A queue pair with rings of its own, which nobody posts to. */
    Slotted queuePair(Guest guest, QpType type, int cq, QpLimits limits) {
        return queuePair(
                guest, type, cq, limits, allocate(QueueGeometry.of(limits).totalBytes()));
    }

    Slotted queuePair(Guest guest, QpType type, int cq, QpLimits limits, long rings) {
        return hca.createQp(new QpInit(guest.uar, guest.pd, type, cq, cq, rings, limits, 1, 0));
    }

    /** Takes a queue pair to RTS. */
    void connect(int qpn, int lid, int peerQpn) {
        modify(qpn, QpAttributes.toInit(ALL));
        modify(qpn, QpAttributes.toRtr(new Endpoint(lid, peerQpn, PSN, 0, 0, 0)));
        modify(qpn, QpAttributes.toRts(PSN));
    }

    void modify(int qpn, QpAttributes attributes) {
        Outcome outcome = hca.modifyQp(qpn, attributes);
        if (outcome.status() != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(outcome.toString());
        }
    }

    /** One turn of the engine; how much it did. */
    int turn() {
        return hca.engine().doWork(System.nanoTime());
    }

    @Override
    public void close() {
        port.close();
    }
}
