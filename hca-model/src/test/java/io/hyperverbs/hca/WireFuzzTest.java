package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Packets of a working exchange, changed at random and put before both HCAs beside what these send each other.
 *
 * <p>{@code -Dwire.fuzz=10000000} makes the long run of it, {@code -Dseed} another one.
 */
class WireFuzzTest {
    private static final long PACKETS = Long.getLong("wire.fuzz", 200_000);
    private static final int BATCH = 64;
    private static final int RECENT = 256;
    private static final int INNOCENTS_EVERY = 8;
    private static final int MOST_BYTES = 4200;
    private static final int[] EDGES = {0, 1, -1, 4096, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x00ff_ffff, -8};

    private final long seed = Long.getLong("seed", 20);
    private final SplittableRandom dice = new SplittableRandom(seed);
    private final WireFuzzScene scene = new WireFuzzScene(seed);
    private final WireFixture wire = scene.wire;
    private final WireAttacker attacker = new WireAttacker(wire.network);
    private final List<WirePacket> captured = new ArrayList<>();

    private void capture() {
        wire.watch();
        scene.exchange();
        captured.addAll(wire.sent);
        Set<PacketOpcode> seen = EnumSet.noneOf(PacketOpcode.class);
        captured.forEach(packet -> seen.add(packet.row()));
        // What the exchange has not: windows, XRC and congestion.
        for (PacketOpcode row : EnumSet.complementOf(EnumSet.copyOf(seen))) {
            byte[] bytes = new ForgedPacket(row, scene.b.rc.qpn, scene.a.rc.psn, 64).bytes();
            captured.add(new WirePacket(WireFixture.A, WireFixture.B, MemorySegment.ofArray(bytes)));
        }
        assertThat(seen).hasSizeGreaterThan(33);
    }

    @Test
    void packetsChangedAtRandomHarmNobodyElse() {
        try {
            capture();
            for (long sent = 0, batch = 0; sent < PACKETS; sent += BATCH, batch++) {
                batch();
                scene.expectUnharmed();
                if (batch % INNOCENTS_EVERY == 0) {
                    scene.expectInnocentsServed(dice);
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
        for (HcaFixture hca : List.of(wire.a, wire.b)) {
            assertThat(List.of(
                            Counter.RX_ICRC_ENCAPSULATED,
                            Counter.RX_DROPPED_PACKETS,
                            Counter.UNCONNECTED_REQUESTS,
                            Counter.BAD_PKEYS,
                            Counter.DUPLICATE_REQUEST,
                            Counter.OUT_OF_SEQUENCE,
                            Counter.RESP_REMOTE_ACCESS_ERRORS,
                            Counter.RX_WRITE_REQUESTS))
                    .as("seed %d", seed)
                    .allSatisfy(counter -> assertThat(hca.counter(counter)).isPositive());
        }
        assertThat(scene.remade()).isPositive();
    }

    private void batch() {
        wire.watch();
        scene.traffic(dice);
        for (int i = 0; i < BATCH; i++) {
            forge();
            if (dice.nextInt(4) == 0) {
                int _ = wire.turn();
            }
        }
        wire.run();
        wire.pass(dice.nextInt(4) == 0 ? QpPair.TIMEOUT_NANOS : QpPair.TICK_NANOS);
        scene.revive();
    }

    private void forge() {
        WirePacket model = model();
        byte[] packet = model.bytes().toArray(ValueLayout.JAVA_BYTE);
        aim(packet, model);
        int changes = dice.nextInt(4);
        for (int i = 0; i < changes; i++) {
            packet = changed(packet);
        }
        attacker.from(source(packet, model)).to(model.destination()).marked(dice.nextInt(4));
        if (dice.nextInt(16) == 0) {
            attacker.sendRaw(packet);
        } else {
            attacker.send(packet, dice.nextInt(16) == 0 ? 1 << dice.nextInt(32) : 0);
        }
    }

    /** Half of them are fresh, so that their PSNs are those that are expected. */
    private WirePacket model() {
        int recent = Math.min(wire.sent.size(), RECENT);
        WirePacket fresh = recent > 0 ? wire.sent.get(wire.sent.size() - 1 - dice.nextInt(recent)) : null;
        return fresh != null && dice.nextBoolean() && !scene.isOfInnocents(fresh.destinationQpn())
                ? fresh
                : captured.get(dice.nextInt(captured.size()));
    }

    /** What was captured is for queue pairs that may be gone: to those that are there now, or to the innocent ones. */
    private void aim(byte[] packet, WirePacket model) {
        WireFuzzScene.Side side = model.destination() == WireFixture.A ? scene.a : scene.b;
        TestQp to = switch (PacketTable.transport(model.opcode())) {
            case PacketTable.UC -> side.uc;
            case PacketTable.UD -> side.ud;
            default -> side.rc;
        };
        int choice = dice.nextInt(16);
        int qpn = choice == 0 ? side.innocentQp.qpn : choice == 1 ? dice.nextInt(4) : to.qpn;
        int word = choice == 2 ? dice.nextInt() : qpn;
        MemorySegment.ofArray(packet).set(BIG_ENDIAN_INT, 4, word);
    }

    private static final ValueLayout.OfInt BIG_ENDIAN_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN);

    // The innocent ones' own peers are not forged: who can do that, and knows the PSN, is believed.
    private int source(byte[] packet, WirePacket model) {
        boolean isForInnocents = packet.length >= BthLayout.SIZE_BYTES
                && scene.isOfInnocents(BthLayout.destinationQpn(MemorySegment.ofArray(packet), 0));
        return switch (dice.nextInt(8)) {
            case 0 -> WireAttacker.STRANGER;
            case 1 -> model.source() + 1;
            case 2 -> model.destination();
            default -> isForInnocents ? WireAttacker.STRANGER : model.source();
        };
    }

    private byte[] changed(byte[] packet) {
        if (packet.length < BthLayout.SIZE_BYTES) {
            return packet;
        }
        MemorySegment memory = MemorySegment.ofArray(packet);
        switch (dice.nextInt(11)) {
            case 0 -> packet[dice.nextInt(packet.length)] ^= (byte) (1 << dice.nextInt(8));
            case 1 -> packet[dice.nextInt(packet.length)] = (byte) EDGES[dice.nextInt(EDGES.length)];
            case 2 -> memory.set(BIG_ENDIAN_INT, 8, memory.get(BIG_ENDIAN_INT, 8) + dice.nextInt(-4, 5));
            case 3 -> memory.set(BIG_ENDIAN_INT, 8, dice.nextInt());
            case 4 -> packet[0] = (byte) dice.nextInt(256);
            case 5 -> packet[0] = (byte) PacketOpcode.values()[dice.nextInt(PacketOpcode.values().length)].code();
            case 6 -> {
                return Arrays.copyOf(packet, dice.nextInt(packet.length));
            }
            case 7 -> {
                return Arrays.copyOf(packet, Math.min(MOST_BYTES, packet.length + 4 * dice.nextInt(600)));
            }
            case 8 -> packet[1] = (byte) dice.nextInt(256);
            case 9 -> {
                int words = Math.min(packet.length, 48) / 4;
                memory.set(BIG_ENDIAN_INT, 4L * dice.nextInt(words), EDGES[dice.nextInt(EDGES.length)]);
            }
            default -> reach(memory);
        }
        return packet;
    }

    /** A range that begins near an end of a region, or another guest's region under its own key. */
    private void reach(MemorySegment packet) {
        int opcode = packet.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
        long reth = PacketTable.headerOffset(opcode, Header.RETH);
        if (reth == 0 || packet.byteSize() < reth + RethLayout.SIZE_BYTES) {
            return;
        }
        WireFuzzScene.Side side = dice.nextBoolean() ? scene.a : scene.b;
        HcaFixture.Buffer buffer = dice.nextBoolean() ? side.buffer : side.innocentBuffer;
        long at =
                (dice.nextBoolean() ? buffer.address() : buffer.address() + buffer.bytes()) + dice.nextInt(-5000, 5000);
        RethLayout.write(packet, reth, at, buffer.rkey(), dice.nextBoolean() ? 64 : dice.nextInt());
    }
}
