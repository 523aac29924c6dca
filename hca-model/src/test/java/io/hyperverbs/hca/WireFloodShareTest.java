package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.PacketFlood.Flood;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.wire.PacketOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a guest that always has work keeps of the engine's time beside more packets than the engine can look at. The
 * clock goes by what the engine does: so long for a packet, a write, a turn and a send.
 */
class WireFloodShareTest {
    private static final long WRITE_NANOS = 300;
    private static final long TURN_NANOS = 100;
    private static final long STRANGE_PACKET_NANOS = 500;

    /** A packet of a peer takes what its domain is charged for it. */
    private static final long PEER_PACKET_NANOS = 200;

    /** A system call. */
    private static final long SEND_NANOS = 5_000;

    private static final long NANOS = 8_000_000;
    private static final int SOCKET = 500;

    /** What a look at 32 packets with its answer, whose pause comes after the measurement, is of all. */
    private static final double LAST_LOOK = (32.0 * STRANGE_PACKET_NANOS + SEND_NANOS) / NANOS;

    private static final long ALONE = new WireFloodShareTest().writesBeside(() -> {});

    private final HostileScene scene = new HostileScene();
    private final HcaFixture flooded = scene.wire.b;
    private final PacketFlood strangers = new PacketFlood(scene);
    private final BusyGuest guest = new BusyGuest(flooded, scene.other);
    private final long start = flooded.now;
    private long packetNanos = STRANGE_PACKET_NANOS;
    private long nanosMeasured;
    private long turns;
    private long looksBefore;
    private long sendsBefore;
    private long sent;

    private long clock() {
        return start + packetsNanos() + flooded.counter(Counter.RX_WRITE_REQUESTS) * WRITE_NANOS + turns * TURN_NANOS;
    }

    // What packets and the answers to them took.
    private long packetsNanos() {
        return (scene.wire.looks - looksBefore) * packetNanos + (scene.wire.sends - sendsBefore) * SEND_NANOS;
    }

    /** Writes that the guest completes in {@link #NANOS} while the socket is never empty. */
    private long writesBeside(Runnable onePacket) {
        strangers.join();
        flooded.hca.engine().useClock(this::clock);
        looksBefore = scene.wire.looks;
        sendsBefore = scene.wire.sends;
        guest.fill();
        // A domain that did nothing so far may catch up on some milliseconds.
        runBeside(onePacket);
        nanosMeasured = packetsNanos();
        long before = guest.done;
        runBeside(onePacket);
        return guest.done - before;
    }

    private void runBeside(Runnable onePacket) {
        long end = clock() + NANOS;
        while (clock() < end) {
            step(onePacket);
        }
    }

    private void step(Runnable onePacket) {
        while (sent - (scene.wire.looks - looksBefore) < SOCKET) {
            onePacket.run();
            sent++;
        }
        flooded.now = clock();
        turns++;
        int _ = flooded.hca.engine().doWork(flooded.now);
        guest.take();
    }

    private double shareOfPackets() {
        return (double) (packetsNanos() - nanosMeasured) / NANOS;
    }

    /** What the guest has of what it has without packets. */
    private double share(Runnable onePacket) {
        return writesBeside(onePacket) / (double) ALONE;
    }

    @ParameterizedTest
    @EnumSource(Flood.class)
    void aGuestKeepsFourFifthsBesidePacketsThatNobodyPaysFor(Flood flood) {
        assertThat(share(() -> strangers.send(flood, (int) sent))).isBetween(0.8, 0.87);

        // Packets have a sixth, and not because nobody looks.
        assertThat(shareOfPackets()).isBetween(0.13, 1.0 / 6 + LAST_LOOK);
    }

    /** Any domain's peer may send what that domain pays for: each of two domains has half of the time. */
    @Test
    void aGuestKeepsFourFifthsOfItsHalfBesideADomainThatGetsPackets() {
        packetNanos = PEER_PACKET_NANOS;

        assertThat(share(() -> fromPeer((int) sent))).isGreaterThan(0.8 * 0.5);

        assertThat(shareOfPackets()).isGreaterThan(0.8 * 0.5);
    }

    private void fromPeer(int i) {
        scene.attacker
                .from(WireFixture.A)
                .to(WireFixture.B)
                .send(new ForgedPacket(PacketOpcode.UC_SEND_ONLY, scene.uc.qpn, scene.ucPeer.psn + i, 64));
    }

    @Test
    void packetsHaveAllOfTheTimeThatNoGuestUses() {
        strangers.join();
        flooded.hca.engine().useClock(this::clock);
        looksBefore = scene.wire.looks;
        sendsBefore = scene.wire.sends;

        runBeside(() -> strangers.send(Flood.OF_NO_PEER, (int) sent));

        assertThat(shareOfPackets()).isGreaterThan(0.95);
    }
}
