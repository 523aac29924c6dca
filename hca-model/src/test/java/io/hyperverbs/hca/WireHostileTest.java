package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets of somebody on the network who may send anything from any address. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WireHostileTest {
    private static final int ACK_BYTES = 20;
    private static final int SMALLEST_REQUEST_BYTES = 16;
    private static final int GROUP_ADDRESS = 0xef01_0203;
    private static final int MLID = 0xc005;

    /** A packet with something wrong about it, for what is right about it see its name. */
    private record Forgery(String name, Function<HostileScene, ForgedPacket> packet) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Forgery forgery(String name, Function<HostileScene, ForgedPacket> packet) {
        return new Forgery(name, packet);
    }

    private final HostileScene scene = new HostileScene();
    private final WireAttacker attacker = scene.attacker;

    @BeforeEach
    void connect() {
        scene.wire.loseNone();
        attacker.to(WireFixture.B).marked(0);
        scene.reconnect();
    }

    /** Everything about it is right, but who sends it. */
    private static ForgedPacket right(HostileScene scene, PacketOpcode row) {
        boolean isFull = row.payload() == PacketOpcode.Payload.FULL_MTU;
        int bytes = row.payload() == PacketOpcode.Payload.NONE ? 0 : isFull ? WirePair.MTU : 8;
        int qpn = PacketTable.transport(row.code()) == PacketTable.UC ? scene.uc.qpn : scene.rc.qpn;
        ForgedPacket packet = new ForgedPacket(row, qpn, scene.peer.psn, bytes);
        return packet.naming(scene.buffer.address(), scene.buffer.rkey(), bytes);
    }

    private static ForgedPacket write(HostileScene scene, int bytes) {
        return new ForgedPacket(PacketOpcode.RC_RDMA_WRITE_ONLY, scene.rc.qpn, scene.peer.psn, bytes)
                .reth(scene.buffer.address(), scene.buffer.rkey(), bytes);
    }

    private static ForgedPacket datagram(int qpn, int qkey, int bytes) {
        return new ForgedPacket(PacketOpcode.UD_SEND_ONLY, qpn, 0, bytes).deth(qkey, 77);
    }

    @ParameterizedTest
    @EnumSource(PacketOpcode.class)
    void fromAnotherAddressThanThePeersAreDroppedWhateverTheySay(PacketOpcode row) {
        int[] strangers = {WireAttacker.STRANGER, WireFixture.A + 1, WireFixture.B, 0, -1};
        for (int source : strangers) {
            attacker.from(source).send(right(scene, row));
            scene.wire.run();
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.drops()).isEqualTo(strangers.length);
        assertThat(scene.rc.state()).isEqualTo(QpState.RTS);
    }

    private static Stream<Forgery> dropped() {
        List<Forgery> all = new ArrayList<>();
        for (int qpn : new int[] {0, 1, 2, UdQueuePair.MULTICAST_QPN, 0x123456}) {
            all.add(forgery(
                    "to queue pair " + qpn,
                    s -> new ForgedPacket(PacketOpcode.RC_RDMA_WRITE_ONLY, qpn, s.peer.psn, 8)
                            .reth(s.buffer.address(), s.buffer.rkey(), 8)));
        }
        for (int version = 1; version < 16; version++) {
            int number = version;
            all.add(forgery("of transport version " + number, s -> write(s, 8).version(number)));
        }
        for (int bytes = 0; bytes < 12; bytes++) {
            int length = bytes;
            all.add(forgery("cut to " + length, s -> write(s, 8).length(length)));
        }
        for (int odd = 29; odd < 32; odd++) {
            int length = odd;
            all.add(forgery("of no whole words, " + length, s -> write(s, 8).length(length)));
        }
        for (int bytes = 12; bytes < 28; bytes += 4) {
            int length = bytes;
            all.add(forgery("without its headers, " + length, s -> write(s, 8).length(length)));
        }
        all.add(forgery("padded more than it is long", s -> write(s, 0).pad(3)));
        all.add(forgery("with another P_Key", s -> write(s, 8).pkey(0x1234)));
        all.add(forgery("of UC for RC", s -> new ForgedPacket(PacketOpcode.UC_SEND_ONLY, s.rc.qpn, s.peer.psn, 8)));
        all.add(forgery("of RC for UC", s -> new ForgedPacket(PacketOpcode.RC_SEND_ONLY, s.uc.qpn, s.peer.psn, 8)));
        all.add(forgery("of XRC for RC", s -> new ForgedPacket(PacketOpcode.XRC_SEND_ONLY, s.rc.qpn, s.peer.psn, 8)));
        all.add(forgery("of RC for UD", s -> new ForgedPacket(PacketOpcode.RC_SEND_ONLY, s.ud.qpn, s.peer.psn, 8)));
        all.add(forgery("of UD for RC", s -> datagram(s.rc.qpn, HostileScene.QKEY, 8)));
        all.add(forgery("of UD with another Q_Key", s -> datagram(s.ud.qpn, HostileScene.QKEY + 1, 8)));
        all.add(forgery(
                "of UD with another P_Key",
                s -> datagram(s.ud.qpn, HostileScene.QKEY, 8).pkey(0x1234)));
        all.add(forgery(
                "of UD for a group that none is in", s -> datagram(UdQueuePair.MULTICAST_QPN, HostileScene.QKEY, 8)));
        all.add(forgery("of management with another Q_Key", s -> datagram(1, HostileScene.QKEY, 256)));
        all.add(forgery("of management, too short", s -> datagram(1, ManagementDatagram.QKEY, 252)));
        all.add(forgery("of management, too long", s -> datagram(1, ManagementDatagram.QKEY, 260)));
        all.add(forgery(
                "of management with another P_Key",
                s -> datagram(1, ManagementDatagram.QKEY, 256).pkey(0x1234)));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("dropped")
    void areDroppedAndCountedWhoeverSendsThem(Forgery forgery) {
        int[] sources = {WireAttacker.STRANGER, WireFixture.A, WireFixture.A + 1};
        for (int source : sources) {
            attacker.from(source).send(forgery.packet.apply(scene));
            scene.wire.run();
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.drops()).isEqualTo(sources.length);
        assertThat(scene.rc.state()).isEqualTo(QpState.RTS);
        assertThat(scene.wire.b.hca.management().next(new ManagementDatagram())).isFalse();
    }

    @Test
    void ofOpcodesThatAreNoneAreDropped() {
        int[] unknown = IntStream.range(0, 256)
                .filter(code -> !PacketTable.isKnown(code))
                .toArray();
        for (int opcode : unknown) {
            attacker.from(WireFixture.A).send(new ForgedPacket(opcode, scene.rc.qpn, scene.peer.psn, 64));
        }
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.drops()).isEqualTo(unknown.length);
    }

    @Test
    void withoutTheirIcrcAreDropped() {
        byte[] packet = write(scene, 8).bytes();
        attacker.from(WireFixture.A);
        for (int bit = 0; bit < 32; bit++) {
            attacker.send(packet, 1 << bit);
        }
        attacker.sendRaw(packet);
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.drops()).isEqualTo(33);
    }

    @Test
    void ofNoByteAtAllAreDropped() {
        attacker.from(WireFixture.A);
        for (int bytes = 0; bytes < 16; bytes++) {
            attacker.sendRaw(new byte[bytes]);
        }
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.drops()).isEqualTo(16);
    }

    @Test
    void toAnotherPortOfTheHcaAreDropped() {
        attacker.from(WireFixture.A).to(WireFixture.B + 1).send(write(scene, 8));
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.drops()).isOne();
    }

    @Test
    void toAGroupAreForNoSingleQueuePair() {
        assertThat(scene.wire
                        .b
                        .hca
                        .attachMulticast(scene.ud.qpn, Gid.ofIpv4(GROUP_ADDRESS), MLID)
                        .status())
                .isEqualTo(VerbsStatus.SUCCESS);
        scene.remember();
        attacker.to(GROUP_ADDRESS).from(WireFixture.A);
        attacker.send(write(scene, 8));
        attacker.send(datagram(scene.ud.qpn, HostileScene.QKEY, 8));
        attacker.send(datagram(1, ManagementDatagram.QKEY, 256));
        attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, UdQueuePair.MULTICAST_QPN, 0, 8));
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        // Both ports have heard each.
        assertThat(scene.drops()).isEqualTo(8);
        assertThat(scene.wire.b.hca.management().next(new ManagementDatagram())).isFalse();
    }

    private static Stream<Forgery> refused() {
        List<Forgery> all = new ArrayList<>();
        long[] lengths = {0xffff_ffffL, 0x8000_0000L, 0x8000_0001L, HostileScene.BYTES + 1L, 1 << 20};
        for (long length : lengths) {
            all.add(forgery("a read of " + length, s -> read(s, s.buffer.address(), s.buffer.rkey(), length)));
            all.add(forgery(
                    "a write that begins " + length,
                    s -> new ForgedPacket(PacketOpcode.RC_RDMA_WRITE_FIRST, s.rc.qpn, s.peer.psn, WirePair.MTU)
                            .reth(s.buffer.address(), s.buffer.rkey(), length)));
        }
        for (long offset : new long[] {-1, HostileScene.BYTES - 7, HostileScene.PAGE * 3L, Long.MIN_VALUE}) {
            all.add(forgery(
                    "a read at offset " + offset, s -> read(s, s.buffer.address() + offset, s.buffer.rkey(), 8)));
            all.add(forgery(
                    "a write at offset " + offset,
                    s -> write(s, 8).reth(s.buffer.address() + offset, s.buffer.rkey(), 8)));
        }
        for (long address : new long[] {-8, -7, -4, 0, Long.MIN_VALUE, Long.MAX_VALUE}) {
            all.add(forgery("a read at " + address, s -> read(s, address, s.buffer.rkey(), 16)));
            all.add(forgery("a write at " + address, s -> write(s, 16).reth(address, s.buffer.rkey(), 16)));
            all.add(forgery("an atomic at " + address, s -> atomic(s, address, s.buffer.rkey())));
        }
        all.add(forgery("an atomic of no aligned word", s -> atomic(s, s.buffer.address() + 4, s.buffer.rkey())));
        all.add(forgery(
                "an atomic across the end", s -> atomic(s, s.buffer.address() + HostileScene.BYTES, s.buffer.rkey())));
        for (int flip = 0; flip < 32; flip += 3) {
            int bit = 1 << flip;
            all.add(forgery(
                    "a write with key bit " + flip,
                    s -> write(s, 8).reth(s.buffer.address(), s.buffer.rkey() ^ bit, 8)));
        }
        all.add(forgery("a read of another guest's", s -> read(s, s.secret.address(), s.secret.rkey(), 8)));
        all.add(forgery("a write of another guest's", s -> write(s, 8).reth(s.secret.address(), s.secret.rkey(), 8)));
        all.add(forgery("an atomic of another guest's", s -> atomic(s, s.secret.address(), s.secret.rkey())));
        all.add(forgery(
                "a write longer than its packet", s -> write(s, 8).reth(s.buffer.address(), s.buffer.rkey(), 100)));
        all.add(forgery(
                "a write shorter than its packet", s -> write(s, 100).reth(s.buffer.address(), s.buffer.rkey(), 8)));
        all.add(forgery("a write without a byte", s -> write(s, 8).reth(s.buffer.address(), s.buffer.rkey(), 0)));
        all.add(forgery("a write of more than the MTU", s -> write(s, WirePair.MTU + 4)));
        all.add(forgery(
                "a first packet too short",
                s -> new ForgedPacket(PacketOpcode.RC_SEND_FIRST, s.rc.qpn, s.peer.psn, WirePair.MTU - 4)));
        all.add(forgery(
                "a send longer than the receive",
                s -> new ForgedPacket(PacketOpcode.RC_SEND_ONLY, s.rc.qpn, s.peer.psn, WirePair.MTU + 4)));
        all.add(forgery(
                "an end without a beginning",
                s -> new ForgedPacket(PacketOpcode.RC_SEND_LAST, s.rc.qpn, s.peer.psn, 8)));
        all.add(forgery(
                "a middle without a beginning",
                s -> new ForgedPacket(PacketOpcode.RC_RDMA_WRITE_MIDDLE, s.rc.qpn, s.peer.psn, WirePair.MTU)));
        all.add(forgery(
                "a read with a payload",
                s -> new ForgedPacket(PacketOpcode.RC_RDMA_READ_REQUEST, s.rc.qpn, s.peer.psn, 8)
                        .reth(s.buffer.address(), s.buffer.rkey(), 8)));
        all.add(forgery(
                "an atomic with a payload",
                s -> new ForgedPacket(PacketOpcode.RC_FETCH_ADD, s.rc.qpn, s.peer.psn, 8)
                        .atomic(s.buffer.address(), s.buffer.rkey())));
        all.add(forgery(
                "an invalidation of a region",
                s -> new ForgedPacket(PacketOpcode.RC_SEND_ONLY_WITH_INVALIDATE, s.rc.qpn, s.peer.psn, 0)
                        .put(12, s.buffer.rkey() >> 24)
                        .put(13, s.buffer.rkey() >> 16)
                        .put(14, s.buffer.rkey() >> 8)
                        .put(15, s.buffer.rkey())));
        return all.stream();
    }

    private static ForgedPacket read(HostileScene scene, long address, int rkey, long length) {
        return new ForgedPacket(PacketOpcode.RC_RDMA_READ_REQUEST, scene.rc.qpn, scene.peer.psn, 0)
                .reth(address, rkey, length);
    }

    private static ForgedPacket atomic(HostileScene scene, long address, int rkey) {
        return new ForgedPacket(PacketOpcode.RC_COMPARE_SWAP, scene.rc.qpn, scene.peer.psn, 0).atomic(address, rkey);
    }

    /** The attacker knows the peer's address, the queue pair's number and its PSN. */
    @ParameterizedTest
    @MethodSource("refused")
    void ofAForgedPeerThatReachTooFarPlaceNothingAndGetAShortNo(Forgery forgery) {
        attacker.from(WireFixture.A).send(forgery.packet.apply(scene));
        scene.wire.run();

        scene.expectNoBufferChanged();
        assertThat(scene.rc.state()).isEqualTo(QpState.ERR);
        assertThat(scene.answeredBytes()).isEqualTo(ACK_BYTES);
    }

    @Test
    void ofAForgedPeerCutAnywherePlaceNothing() {
        int whole = write(scene, 64).bytes().length;
        for (int length = 28; length < whole; length += 4) {
            scene.reconnect();
            attacker.from(WireFixture.A).send(write(scene, 64).length(length));
            scene.wire.run();

            scene.expectNoBufferChanged();
            assertThat(scene.rc.state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void ofAForgedPeerWithAnyPaddingPlaceAtMostWhatTheLengthSays() {
        for (int pad = 1; pad < 4; pad++) {
            scene.reconnect();
            attacker.from(WireFixture.A).send(write(scene, 64).pad(pad));
            scene.wire.run();

            scene.expectNoBufferChanged();
            assertThat(scene.rc.state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void ofAForgedPeerWithAnotherPsnChangeNothingAndAreAnsweredOnce() {
        attacker.from(WireFixture.A);
        for (int ahead = 1; ahead < 1 << 23; ahead += 10_007) {
            attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, scene.rc.qpn, scene.peer.psn + ahead, 8));
            scene.wire.run();
        }
        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isEqualTo(ACK_BYTES);
    }

    @Test
    void thatAreDoubledForEverAreAnsweredWithNoMore() {
        attacker.from(WireFixture.A);
        long before = attacker.sentBytes();
        for (int i = 0; i < 1000; i++) {
            attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, scene.rc.qpn, scene.peer.psn - 1 - i, 0));
        }
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(attacker.sentBytes() - before).isEqualTo(1000L * SMALLEST_REQUEST_BYTES);
        assertThat(scene.answeredBytes()).isLessThan((attacker.sentBytes() - before) / 10);
        // Each by itself: an ACK is a word longer than the shortest request.
        scene.remember();
        attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, scene.rc.qpn, scene.peer.psn - 1, 0));
        scene.wire.run();
        assertThat(scene.answeredBytes()).isEqualTo(ACK_BYTES);
    }

    @Test
    void thatAskAgainForAReadThatNeverWasGetNothing() {
        attacker.from(WireFixture.A);
        for (int ago = 1; ago < 1000; ago++) {
            attacker.send(new ForgedPacket(PacketOpcode.RC_RDMA_READ_REQUEST, scene.rc.qpn, scene.peer.psn - ago, 0)
                    .reth(scene.buffer.address(), scene.buffer.rkey(), HostileScene.BYTES));
            attacker.send(new ForgedPacket(PacketOpcode.RC_FETCH_ADD, scene.rc.qpn, scene.peer.psn - ago, 0)
                    .atomic(scene.buffer.address(), scene.buffer.rkey()));
            scene.wire.run();
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
    }

    @Test
    void thatAnswerWhatNobodyAskedChangeNothing() {
        attacker.from(WireFixture.A);
        for (PacketOpcode row : PacketOpcode.values()) {
            if (row.kind().isResponse() && PacketTable.transport(row.code()) == PacketTable.RC) {
                for (int syndrome = 0; syndrome < 256; syndrome++) {
                    int payload = row.payload() == PacketOpcode.Payload.NONE ? 0 : 64;
                    ForgedPacket packet = new ForgedPacket(row, scene.rc.qpn, scene.rc.psn - 3 + syndrome % 8, payload);
                    attacker.send(
                            PacketTable.has(row.code(), PacketOpcode.Header.AETH)
                                    ? packet.aeth(syndrome, syndrome)
                                    : packet);
                }
                scene.wire.run();
            }
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.rc.state()).isEqualTo(QpState.RTS);
    }

    /** A write is under way at {@code a}, and every ACK of {@code b} is lost meanwhile. */
    private ForgedPacket answerToAWrite(int syndrome) {
        int psn = scene.peer.psn;
        scene.wire.lose(packet -> packet.kind() == Kind.ACK);
        scene.peer.rdma(
                1,
                SendWqeLayout.OPCODE_RDMA_WRITE,
                TestQp.SIGNALLED,
                scene.farBuffer,
                64,
                scene.buffer.address(),
                scene.buffer.rkey());
        scene.wire.run();
        attacker.from(WireFixture.B).to(WireFixture.A);
        return new ForgedPacket(PacketOpcode.RC_ACKNOWLEDGE, scene.peer.qpn, psn, 0).aeth(syndrome, 0);
    }

    private void expectTheWriteGoesOn() {
        assertThat(scene.peer.cq.poll()).isNull();
        assertThat(scene.peer.state()).isEqualTo(QpState.RTS);
        scene.wire.loseNone();
        for (int i = 0; i < 4; i++) {
            scene.wire.pass(QpPair.TIMEOUT_NANOS + QpPair.TICK_NANOS);
        }
        assertThat(scene.peer.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x41, 0x5f, 0xc0, 0x64, 0x65, 0x7f, 0xff})
    void withAReservedSyndromeEndNoRequest(int syndrome) {
        attacker.send(answerToAWrite(syndrome));
        scene.wire.run();

        expectTheWriteGoesOn();
    }

    @Test
    void withTheReservedBitOfASyndromeMeanWhatTheyMeanWithoutIt() {
        long before = scene.wire.a.counter(Counter.PACKET_SEQ_ERR);
        attacker.send(answerToAWrite(0x80 | AethSyndrome.nak(AethSyndrome.PSN_SEQUENCE_ERROR)));
        scene.wire.run();

        assertThat(scene.wire.a.counter(Counter.PACKET_SEQ_ERR)).isEqualTo(before + 1);
        expectTheWriteGoesOn();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 2048})
    void thatAcknowledgeWithAPayloadAreNone(int payload) {
        ForgedPacket packet = answerToAWrite(AethSyndrome.ack());
        attacker.send(new ForgedPacket(PacketOpcode.RC_ACKNOWLEDGE, scene.peer.qpn, scene.peer.psn, payload)
                .aeth(AethSyndrome.ack(), 0));
        scene.wire.run();

        assertThat(packet.bytes()).hasSize(ACK_BYTES - 4);
        expectTheWriteGoesOn();
    }

    @Test
    void ofManagementFillTheirQueueAndNothingElse() {
        for (int i = 0; i < 10_000; i++) {
            attacker.from(WireAttacker.STRANGER + i).send(datagram(1, ManagementDatagram.QKEY, 256));
            if (i % 500 == 0) {
                scene.wire.run();
            }
        }
        scene.wire.run();

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        int waiting = 0;
        while (scene.wire.b.hca.management().next(new ManagementDatagram())) {
            waiting++;
        }
        assertThat(waiting).isEqualTo(256);
        assertThat(scene.drops()).isEqualTo(10_000 - 256);
    }

    @Test
    void ofCongestionSlowNobodyButTheQueuePairOfTheirPeer() {
        for (int i = 0; i < 5_000; i++) {
            attacker.from(WireAttacker.STRANGER).send(new ForgedPacket(PacketOpcode.CNP, scene.rc.qpn, 0, 0));
            attacker.from(WireFixture.A).send(new ForgedPacket(PacketOpcode.CNP, scene.uc.qpn, 0, 0));
            scene.wire.run();
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.answeredBytes()).isZero();
        assertThat(scene.wire.b.counter(Counter.RP_CNP_HANDLED)).isEqualTo(5_000);
        assertThat(scene.drops()).isEqualTo(5_000);
        scene.rc.rdma(
                1,
                SendWqeLayout.OPCODE_RDMA_READ,
                TestQp.SIGNALLED,
                scene.buffer,
                64,
                scene.farBuffer.address(),
                scene.farBuffer.rkey());
        scene.wire.run();
        assertThat(scene.rc.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void thatAreMarkedAreToldOfOnceInAWhile() {
        attacker.from(WireFixture.A).marked(3);
        for (int i = 0; i < 1_000; i++) {
            attacker.send(new ForgedPacket(PacketOpcode.RC_ACKNOWLEDGE, scene.rc.qpn, 5, 0));
            scene.wire.run();
        }

        scene.expectNoByteOfAnyGuestChanged();
        assertThat(scene.wire.sent(packet -> packet.kind() == Kind.CNP)).hasSize(1);
        assertThat(scene.answeredBytes()).isEqualTo(32);
    }
}
