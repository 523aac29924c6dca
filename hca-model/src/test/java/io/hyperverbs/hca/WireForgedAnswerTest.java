package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers in the name of a connection's peer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WireForgedAnswerTest {
    private final HostileScene scene = new HostileScene();
    private final WireAttacker attacker = scene.attacker;

    @BeforeEach
    void connect() {
        scene.beginAgain();
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

        assertThat(packet.bytes()).hasSize(HostileScene.ACK_BYTES - 4);
        expectTheWriteGoesOn();
    }
}
