package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.tests.fuzz.FuzzHca.Context;
import io.hyperverbs.tests.fuzz.FuzzHca.Piece;
import io.hyperverbs.tests.fuzz.FuzzHca.Queue;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An HCA with two ports on a wire of which the fuzzer is the other end. A victim has queue pairs of RC, UC, UD and XRC
 * and one of RC on a shared receive queue, connected to a peer that the fuzzer can be; it knows their numbers, the PSNs
 * and all keys. An innocent guest is connected with another HCA, for which the fuzzer never speaks, and with itself.
 */
final class PacketScene {
    static final int OWN = 0x0a00_0001;
    static final int PEER = 0x0a00_0003;
    static final int STRANGER = 0x0a00_00c8;
    static final int GROUP = 0xef01_0203;
    static final int MTU = 2048;

    private static final int PEER_LID = 3;
    private static final int FAR = 0x0a00_0005;
    private static final int FAR_LID = 5;
    private static final int PEER_QPN = 0x321;
    private static final int GROUP_LID = 0xc005;
    private static final int QKEY = 0x1111;
    private static final int ALL = Access.mask(FuzzQp.RIGHTS);
    private static final SrqGeometry SHARED = SrqGeometry.of(4, 1);
    static final long SECRET = 0x5ec2_e75e_c2e7_5ec2L;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    final FuzzPort port = new FuzzPort(0);
    final FuzzPort otherPort = new FuzzPort(1);
    final FuzzHca device;
    final FuzzManager manager;
    final FuzzQp rc;
    final FuzzQp uc;
    final FuzzQp ud;
    final FuzzQp onShared;
    final FuzzQp xrc;
    private final int xrcQueue;
    private final Piece data;
    private final Piece inbox;
    private final List<Piece> pieces;
    private final FuzzQp innocent;
    private final FuzzQp left;
    private final FuzzQp right;
    private final Queue innocentCq;
    private final Piece innocentOut;
    private final Piece innocentIn;
    private final QpAttributes innocentBefore;
    private final List<long[]> written = new ArrayList<>();
    private final byte[] before;

    PacketScene() {
        PortSettings ports = new PortSettings(2, 1, MTU, List.of(Pkey.DEFAULT), List.of(OWN, OWN + 1));
        WireAddresses addresses = new WireAddresses(
                List.of(OWN, OWN + 1),
                Map.of(PEER_LID, PEER, PEER_LID + 1, PEER + 1, FAR_LID, FAR, FAR_LID + 1, FAR + 1));
        device = new FuzzHca(ports, new Network(addresses, List.of(port, otherPort)));
        Context victim = device.open(1);
        Queue cq = device.cq(victim, 128);
        ours(victim.page(), 4096);
        ours(cq.ring(), cq.bytes());
        data = device.region(victim.pd(), 5120, ALL);
        ours(data.machine(), data.bytes());
        inbox = device.region(victim.pd(), 512, Access.LOCAL_WRITE.bit());
        ours(inbox.machine(), inbox.bytes());
        Piece readOnly = device.region(victim.pd(), 1024, Access.REMOTE_READ.bit());
        // Its owner has all rights on it: only the protection domain keeps the peer out.
        Piece secret = device.region(device.hca.allocatePd(1).number(), 1024, ALL);
        for (long at = 0; at < secret.bytes(); at += 8) {
            device.memory.set(LONG, secret.machine() + at, SECRET);
        }
        QpLimits limits = QpLimits.of(8, 8);
        rc = new FuzzQp(device, victim, QpType.RC, cq, limits, 0);
        uc = new FuzzQp(device, victim, QpType.UC, cq, limits, 0);
        ud = new FuzzQp(device, victim, QpType.UD, cq, limits, 0);
        onShared = new FuzzQp(device, victim, QpType.RC, cq, QpLimits.of(8, 0), shared(victim, 0, 0));
        int domain = device.hca.openXrcd(1).number();
        xrcQueue = shared(victim, domain, cq.number());
        xrc = new FuzzQp(device, victim, domain, QpType.XRC_RECV, cq, QpLimits.of(8, 0), 0);

        Context third = device.open(3);
        innocentCq = device.cq(third, 16);
        innocent = new FuzzQp(device, third, QpType.RC, innocentCq, limits, 0);
        left = new FuzzQp(device, third, QpType.RC, innocentCq, limits, 0);
        right = new FuzzQp(device, third, QpType.RC, innocentCq, limits, 0);
        innocentOut = device.region(third.pd(), 64, ALL);
        innocentIn = device.region(third.pd(), 64, ALL);
        pieces = List.of(data, data, inbox, readOnly, secret, innocentIn);
        connect();
        innocentBefore = device.hca.queryQp(innocent.qpn);
        manager = new FuzzManager(device, ports, addresses, PEER);
        device.run();
        before = device.memory.toArray(ValueLayout.JAVA_BYTE);
    }

    private void connect() {
        rc.connect(QpType.RC, PEER_LID, PEER_QPN);
        onShared.connect(QpType.RC, PEER_LID, PEER_QPN + 1);
        uc.connect(QpType.UC, PEER_LID, PEER_QPN + 2);
        xrc.connect(QpType.XRC_RECV, PEER_LID, PEER_QPN + 3);
        ud.activate(QKEY);
        FuzzHca.good(
                device.hca.attachMulticast(ud.qpn, Gid.ofIpv4(GROUP), GROUP_LID).status());
        innocent.connect(QpType.RC, FAR_LID, PEER_QPN);
        FuzzQp.connect(left, right);
        for (FuzzQp qp : List.of(rc, uc, ud)) {
            for (int i = 0; i < 4; i++) {
                qp.receive(i, inbox, 256);
            }
        }
    }

    /** A shared receive queue with all its receives posted, of an XRC domain if {@code domain} is not 0. */
    private int shared(Context victim, int domain, int cq) {
        long ring = device.allocate(SHARED.totalBytes());
        HcaCommands.Numbered made = device.hca.createSrq(
                new HcaCommands.SrqInit(victim.uar(), victim.pd(), ring, SHARED.entries(), 1, domain, cq));
        FuzzHca.good(made.status());
        for (int i = 0; i < SHARED.entries(); i++) {
            long wqe = ring + SHARED.slot(i);
            ReceiveWqeLayout.writeHead(device.memory, wqe, i);
            ReceiveWqeLayout.writeSegmentCount(device.memory, wqe, 1);
            ReceiveWqeLayout.writeSegment(device.memory, wqe, 0, inbox.address(), 256, inbox.lkey());
        }
        SrqRingLayout.producerIndexRelease(device.memory, ring, SHARED.entries());
        ours(ring, SrqRingLayout.ENTRIES_OFFSET);
        return made.number();
    }

    /** Bytes that the HCA may change for the victim's sake. */
    private void ours(long start, long bytes) {
        written.add(new long[] {start, start + bytes});
    }

    /** The queue pair that a packet of that transport can be for. */
    int target(int transport, Input input) {
        return switch (transport) {
            case PacketTable.UC -> uc.qpn;
            case PacketTable.XRC -> xrc.qpn;
            case PacketTable.UD -> ud.qpn;
            default -> input.below(4) == 3 ? onShared.qpn : rc.qpn;
        };
    }

    /** A queue pair number, mostly one that there is. */
    int number(Input input) {
        return switch (input.below(10)) {
            case 0 -> rc.qpn;
            case 1 -> uc.qpn;
            case 2 -> ud.qpn;
            case 3 -> xrc.qpn;
            case 4 -> innocent.qpn;
            case 5 -> left.qpn;
            case 6 -> ManagementDatagram.QPN;
            case 7 -> UdQueuePair.MULTICAST_QPN;
            case 8 -> 0;
            default -> input.nextInt();
        };
    }

    /** Whether a queue pair with that number belongs to the victim, and is connected with the peer. */
    boolean isConnected(int qpn) {
        return qpn == rc.qpn || qpn == onShared.qpn || qpn == uc.qpn || qpn == xrc.qpn;
    }

    /** The PSN that a packet should have: the one expected of a request, that of the last request of an answer. */
    int psn(int qpn, int opcode) {
        if (!isConnected(qpn) && qpn != innocent.qpn && qpn != left.qpn) {
            return 0;
        }
        QpAttributes now = device.hca.queryQp(qpn);
        return PacketTable.kind(opcode).isResponse()
                ? (int) now.get(QpAttribute.SQ_PSN) - 1
                : (int) now.get(QpAttribute.RQ_PSN);
    }

    int srqn(Input input) {
        return input.below(8) == 7 ? input.nextInt() : xrcQueue;
    }

    int qkey(Input input) {
        return input.below(8) == 7 ? input.nextInt() : QKEY;
    }

    /** An address that somebody has, at or near an edge, or any. */
    long address(Input input) {
        int pick = input.nextByte();
        Piece piece = pieces.get(pick % pieces.size());
        return switch (pick / pieces.size() % 12) {
            case 0, 1, 2 -> piece.address();
            case 3 -> piece.address() + piece.bytes();
            case 4 -> piece.address() + piece.bytes() - 1;
            case 5 -> piece.address() + piece.bytes() - 8;
            case 6 -> piece.address() - 1;
            case 7 -> piece.address() + input.nextByte();
            case 8 -> -1L - input.nextByte();
            case 9 -> piece.machine();
            case 10 -> input.nextLong();
            default -> 0;
        };
    }

    long length(Input input) {
        int pick = input.nextByte();
        long bytes = pieces.get(pick % pieces.size()).bytes();
        return switch (pick / pieces.size() % 8) {
            case 0, 1 -> 8;
            case 2 -> bytes;
            case 3 -> bytes + 1;
            case 4 -> 0;
            case 5 -> 0xffff_ffffL;
            case 6 -> input.nextInt() & 0xffff_ffffL;
            default -> input.nextByte();
        };
    }

    int key(Input input) {
        int pick = input.nextByte();
        Piece piece = pieces.get(pick % pieces.size());
        return switch (pick / pieces.size() % 8) {
            case 0, 1, 2, 3, 4 -> piece.rkey();
            case 5 -> piece.lkey();
            case 6 -> input.nextInt();
            default -> (byte) input.nextByte() / 127;
        };
    }

    /** The victim posts a request to its peer, if there is room. */
    void request(FuzzQp qp, int kind, int bytes) {
        if (!qp.hasFreshSend()) {
            return;
        }
        int[] opcodes = {
            SendWqeLayout.OPCODE_SEND,
            SendWqeLayout.OPCODE_RDMA_WRITE,
            SendWqeLayout.OPCODE_RDMA_READ,
            SendWqeLayout.OPCODE_FETCH_AND_ADD
        };
        int opcode = opcodes[kind % opcodes.length];
        int length = opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD ? 8 : bytes;
        qp.request(opcode, kind, inbox, length, 0x1000, 0x77);
        note(qp);
    }

    void receive(FuzzQp qp, int bytes) {
        if (qp.hasFreshReceive()) {
            qp.receive(9, inbox, bytes);
            note(qp);
        }
    }

    /** What lies in these rings now the victim wrote itself; the HCA must not. */
    private void note(FuzzQp qp) {
        MemorySegment.copy(
                device.memory, ValueLayout.JAVA_BYTE, qp.rings, before, (int) qp.rings, (int) qp.geometry.totalBytes());
    }

    /** All memory of guests. */
    MemorySegment guests() {
        return device.memory.asSlice(device.firstGuestByte());
    }

    /** Lets all end, and looks whether anybody came to harm. */
    void judge() {
        device.settle();
        manager.work();
        manager.close();
        device.assertSound();
        assertUntouched();
        assertInnocentWorks();
    }

    private void assertUntouched() {
        long at = device.firstGuestByte();
        written.sort((one, other) -> Long.compare(one[0], other[0]));
        for (long[] range : written) {
            assertSame(at, range[0]);
            at = range[1];
        }
        assertSame(at, before.length);
    }

    private void assertSame(long start, long end) {
        MemorySegment then = MemorySegment.ofArray(before);
        long offset = MemorySegment.mismatch(then, start, end, device.memory, start, end);
        if (offset >= 0) {
            throw new AssertionError("byte " + (start + offset) + " changed");
        }
    }

    private void assertInnocentWorks() {
        QpAttributes now = device.hca.queryQp(innocent.qpn);
        for (QpAttribute attribute : List.of(QpAttribute.STATE, QpAttribute.RQ_PSN, QpAttribute.SQ_PSN)) {
            if (now.get(attribute) != innocentBefore.get(attribute)) {
                throw new AssertionError("the innocent queue pair has another " + attribute);
            }
        }
        for (int i = 0; i < 8; i++) {
            device.memory.set(ValueLayout.JAVA_BYTE, innocentOut.machine() + i, (byte) (i + 1));
        }
        right.receive(77, innocentIn, 64);
        left.send(78, innocentOut, 8);
        device.settle();
        CompletionRing ring = new CompletionRing(device.memory, innocentCq.ring(), 16);
        int good = 0;
        while (ring.hasNext()) {
            WorkCompletion completion = new WorkCompletion();
            ring.read(completion);
            ring.advance();
            good += completion.status() == VerbsStatus.SUCCESS ? 1 : 0;
        }
        boolean whole =
                device.memory.asSlice(innocentOut.machine(), 8).mismatch(device.memory.asSlice(innocentIn.machine(), 8))
                        < 0;
        if (good != 2 || !whole || left.state() != QpState.RTS || right.state() != QpState.RTS) {
            throw new AssertionError("innocents: " + good + " of 2, " + device.events);
        }
    }
}
