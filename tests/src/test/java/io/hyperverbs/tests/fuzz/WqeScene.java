package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.tests.fuzz.FuzzHca.Context;
import io.hyperverbs.tests.fuzz.FuzzHca.Piece;
import io.hyperverbs.tests.fuzz.FuzzHca.Queue;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A hostile domain with queue pairs of three transports, a victim it is connected to, and two
 * bystanders of a third domain. The victim has a region that it shares with the attacker and one
 * that it does not; its receives go into a third. The attacker knows all keys and addresses.
 */
final class WqeScene {
    private static final int ALL = Access.mask(FuzzQp.RIGHTS);
    private static final int QKEY = 0x1111;
    private static final long SECRET = 0x5ec2_e75e_c2e7_5ec2L;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    final FuzzHca device = new FuzzHca();
    final List<FuzzQp> attackers = new ArrayList<>();
    final Queue cq;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<long[]> written = new ArrayList<>();
    private final Map<FuzzQp, Integer> sent = new HashMap<>();
    private final Map<FuzzQp, Integer> received = new HashMap<>();
    private final int victimQpn;
    private final FuzzQp left;
    private final FuzzQp right;
    private final Queue bystanderCq;
    private final Piece bystanderOut;
    private final Piece bystanderIn;
    private final long attackerEnd;
    private final byte[] before;

    WqeScene() {
        Context attacker = device.open(1);
        cq = device.cq(attacker, 32);
        QpLimits limits = QpLimits.of(8, 8).withSge(3, 2);
        FuzzQp toVictim = new FuzzQp(device, attacker, QpType.RC, cq, limits, 0);
        FuzzQp loopA = new FuzzQp(device, attacker, QpType.RC, cq, limits, 0);
        FuzzQp loopB = new FuzzQp(device, attacker, QpType.RC, cq, limits, 0);
        FuzzQp datagrams = new FuzzQp(device, attacker, QpType.UD, cq, limits, 0);
        FuzzQp unreliable = new FuzzQp(device, attacker, QpType.UC, cq, limits, 0);
        attackers.addAll(List.of(toVictim, loopA, loopB, datagrams, unreliable));
        ours(attacker.page(), 4096);
        ours(cq.ring(), cq.bytes());
        Piece data = device.region(attacker.pd(), 2048, ALL | Access.MW_BIND.bit());
        ours(data.machine(), data.bytes());
        Piece readOnly = device.region(attacker.pd(), 1024, Access.REMOTE_READ.bit());
        attackerEnd = device.allocate(1);

        Context victim = device.open(2);
        Queue victimCq = device.cq(victim, 64);
        ours(victimCq.ring(), victimCq.bytes());
        FuzzQp fromAttacker = new FuzzQp(device, victim, QpType.RC, victimCq, limits, 0);
        FuzzQp fromUnreliable = new FuzzQp(device, victim, QpType.UC, victimCq, limits, 0);
        FuzzQp fromDatagrams = new FuzzQp(device, victim, QpType.UD, victimCq, limits, 0);
        victimQpn = fromDatagrams.qpn;
        Piece shared = device.region(victim.pd(), 1024, ALL);
        ours(shared.machine(), shared.bytes());
        Piece inbox = device.region(victim.pd(), 512, Access.LOCAL_WRITE.bit());
        ours(inbox.machine(), inbox.bytes());
        // Its owner has all rights on it: only the protection domain keeps the attacker out.
        Piece secret = device.region(device.hca.allocatePd(2).number(), 1024, ALL);
        for (long at = 0; at < secret.bytes(); at += 8) {
            device.memory.set(LONG, secret.machine() + at, SECRET);
        }

        Context third = device.open(3);
        bystanderCq = device.cq(third, 16);
        left = new FuzzQp(device, third, QpType.RC, bystanderCq, limits, 0);
        right = new FuzzQp(device, third, QpType.RC, bystanderCq, limits, 0);
        bystanderOut = device.region(third.pd(), 64, ALL);
        bystanderIn = device.region(third.pd(), 64, ALL);
        pieces.addAll(List.of(data, readOnly, shared, secret, inbox, bystanderOut));

        FuzzQp.connect(toVictim, fromAttacker);
        FuzzQp.connect(loopA, loopB);
        FuzzQp.connectUc(unreliable, fromUnreliable);
        datagrams.activate(QKEY);
        fromDatagrams.activate(QKEY);
        FuzzHca.good(device.hca.createAh(attacker.pd(), AddressAttributes.of(1)).status());
        FuzzQp.connect(left, right);
        for (FuzzQp qp : List.of(fromAttacker, fromUnreliable, fromDatagrams)) {
            for (int i = 0; i < 4; i++) {
                qp.receive(i, inbox, 128);
            }
        }
        device.run();
        written.sort(Comparator.comparingLong(range -> range[0]));
        before = device.memory.toArray(ValueLayout.JAVA_BYTE);
    }

    /** What lies in its rings now the attacker wrote itself; the HCA must not. */
    void noteRings() {
        for (FuzzQp qp : attackers) {
            MemorySegment.copy(device.memory, ValueLayout.JAVA_BYTE, qp.rings, before, (int) qp.rings, (int)
                    qp.geometry.totalBytes());
        }
    }

    /** Bytes that the HCA may change for the attacker's sake. */
    private void ours(long start, long bytes) {
        written.add(new long[] {start, start + bytes});
    }

    int sent(FuzzQp qp) {
        return sent.getOrDefault(qp, 0);
    }

    void sent(FuzzQp qp, int producer) {
        sent.put(qp, producer);
    }

    int received(FuzzQp qp) {
        return received.getOrDefault(qp, 0);
    }

    void received(FuzzQp qp, int producer) {
        received.put(qp, producer);
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

    int length(Input input) {
        int pick = input.nextByte();
        long bytes = pieces.get(pick % pieces.size()).bytes();
        return switch (pick / pieces.size() % 12) {
            case 0, 1 -> 8;
            case 2 -> 1;
            case 3 -> (int) bytes;
            case 4 -> (int) bytes + 1;
            case 5 -> 0;
            case 6 -> 0x8000_0000;
            case 7 -> -1;
            case 8 -> input.nextInt();
            case 9 -> 0x7fff_ffff;
            default -> input.nextByte();
        };
    }

    int key(Input input) {
        int pick = input.nextByte();
        Piece piece = pieces.get(pick % pieces.size());
        return switch (pick / pieces.size() % 8) {
            case 0, 1, 2 -> piece.rkey();
            case 3, 4, 5 -> piece.lkey();
            case 6 -> input.nextInt();
            default -> (byte) input.nextByte() / 127;
        };
    }

    /** A queue pair number or Q_Key, mostly one that means something. */
    int number(Input input) {
        return switch (input.below(8)) {
            case 0, 1, 2 -> victimQpn;
            case 3, 4, 5 -> QKEY;
            case 6 -> attackers.get(input.below(attackers.size())).qpn;
            default -> input.nextInt();
        };
    }

    /** Lets all end, and looks whether anybody came to harm. */
    void judge() {
        device.settle();
        device.assertSound();
        assertUntouched();
        assertNoSecret();
        assertBystandersWork();
    }

    private void assertUntouched() {
        long at = device.firstGuestByte();
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

    private void assertNoSecret() {
        for (long at = device.firstGuestByte(); at < attackerEnd; at += 8) {
            if (device.memory.get(LONG, at) == SECRET) {
                throw new AssertionError("the attacker has the secret at " + at);
            }
        }
    }

    private void assertBystandersWork() {
        for (int i = 0; i < 8; i++) {
            device.memory.set(ValueLayout.JAVA_BYTE, bystanderOut.machine() + i, (byte) (i + 1));
        }
        right.receive(77, bystanderIn, 64);
        left.send(78, bystanderOut, 8);
        device.settle();
        CompletionRing ring = new CompletionRing(device.memory, bystanderCq.ring(), 16);
        int good = 0;
        while (ring.hasNext()) {
            WorkCompletion completion = new WorkCompletion();
            ring.read(completion);
            ring.advance();
            good += completion.status() == VerbsStatus.SUCCESS ? 1 : 0;
        }
        boolean whole = device.memory
                        .asSlice(bystanderOut.machine(), 8)
                        .mismatch(device.memory.asSlice(bystanderIn.machine(), 8))
                < 0;
        if (good != 2
                || !whole
                || left.state() != QpState.RTS
                || right.state() != QpState.RTS
                || device.events.stream().anyMatch(event -> event.endsWith(" " + left.qpn))) {
            throw new AssertionError("bystanders: " + good + " of 2, " + device.events);
        }
    }
}
