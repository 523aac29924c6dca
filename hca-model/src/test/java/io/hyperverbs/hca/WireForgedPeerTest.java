package io.hyperverbs.hca;

import static io.hyperverbs.hca.Forgery.forgery;
import static io.hyperverbs.hca.Forgery.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests in the name of a connection's peer: its address, the queue pair's number and its PSN are known. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WireForgedPeerTest {
    private final HostileScene scene = new HostileScene();
    private final WireAttacker attacker = scene.attacker;

    @BeforeEach
    void connect() {
        scene.beginAgain();
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
        addOtherGuestsAndLengths(all);
        return all.stream();
    }

    private static void addOtherGuestsAndLengths(List<Forgery> all) {
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
        attacker.from(WireFixture.A).send(forgery.packet().apply(scene));
        scene.wire.run();

        scene.expectNoBufferChanged();
        assertThat(scene.rc.state()).isEqualTo(QpState.ERR);
        assertThat(scene.answeredBytes()).isEqualTo(HostileScene.ACK_BYTES);
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
        assertThat(scene.answeredBytes()).isEqualTo(HostileScene.ACK_BYTES);
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
        assertThat(attacker.sentBytes() - before).isEqualTo(1000L * HostileScene.SMALLEST_REQUEST_BYTES);
        assertThat(scene.answeredBytes()).isLessThan((attacker.sentBytes() - before) / 10);
        // Each by itself: an ACK is a word longer than the shortest request.
        scene.remember();
        attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, scene.rc.qpn, scene.peer.psn - 1, 0));
        scene.wire.run();
        assertThat(scene.answeredBytes()).isEqualTo(HostileScene.ACK_BYTES);
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
}
