package io.hyperverbs.hca;

import static io.hyperverbs.hca.Forgery.forgery;
import static io.hyperverbs.hca.Forgery.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Packets of somebody on the network who may send anything from any address. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WireHostileTest {
    private static final int GROUP_ADDRESS = 0xef01_0203;
    private static final int MLID = 0xc005;

    private final HostileScene scene = new HostileScene();
    private final WireAttacker attacker = scene.attacker;

    @BeforeEach
    void connect() {
        scene.beginAgain();
    }

    /** Everything about it is right, but who sends it. */
    private static ForgedPacket right(HostileScene scene, PacketOpcode row) {
        boolean isFull = row.payload() == PacketOpcode.Payload.FULL_MTU;
        int bytes = row.payload() == PacketOpcode.Payload.NONE ? 0 : isFull ? WirePair.MTU : 8;
        int qpn = PacketTable.transport(row.code()) == PacketTable.UC ? scene.uc.qpn : scene.rc.qpn;
        ForgedPacket packet = new ForgedPacket(row, qpn, scene.peer.psn, bytes);
        return packet.naming(scene.buffer.address(), scene.buffer.rkey(), bytes);
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
            attacker.from(source).send(forgery.packet().apply(scene));
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
