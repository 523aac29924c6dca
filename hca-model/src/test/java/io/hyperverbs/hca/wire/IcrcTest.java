package io.hyperverbs.hca.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ICRC against packets of adapters, and against a CRC that is computed bit by bit. */
class IcrcTest {
    private static final int SOURCE = 0x0a00_0001;
    private static final int DESTINATION = 0xc0a8_fe02;
    private static final int PORT = 4791;
    private static final long AT = 3;
    private static final int SHORTEST = BthLayout.SIZE_BYTES;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final MemorySegment packets = Arena.ofAuto().allocate(8192);
    private final Icrc icrc = new Icrc(packets);

    /** BTH to padding; IPv4 identification, addresses, UDP source port; the ICRC as it was on the wire. */
    @ParameterizedTest
    @CsvSource({
        // A UC send of 18 bytes by a ConnectX adapter, from the regression tests of Scapy.
        "2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e500000, 1144, c0a80007, c0a80007, 49152, 78f353f3",
        // A congestion notification by a ConnectX-4 Lx, from there too.
        "8100ffff4000011800000000 00000000000000000000000000000000, 29068, 0a001101, 0a001201, 0, 82fd002a",
    })
    void agreesWithPacketsOfAdapters(
            String hex, int identification, String source, String destination, int sourcePort, String stored) {
        byte[] packet = HexFormat.of().parseHex(hex.replace(" ", "") + stored);
        MemorySegment.copy(packet, 0, packets, ValueLayout.JAVA_BYTE, AT, packet.length);
        int length = packet.length - Icrc.SIZE_BYTES;
        int from = HexFormat.fromHexDigits(source);
        int to = HexFormat.fromHexDigits(destination);

        assertThat(Integer.reverseBytes(icrc.compute(AT, length, from, to, identification, sourcePort, PORT)))
                .isEqualTo(HexFormat.fromHexDigits(stored));
        for (int likely : new int[] {0, 1, identification}) {
            assertThat(icrc.identification(AT, length, from, to, likely, sourcePort, PORT))
                    .isEqualTo(identification);
            assertThat(icrc.matches(AT, length, from, to, likely, sourcePort, PORT))
                    .isTrue();
        }
    }

    @Test
    void isTheCrcOfHeadersWithOnesForWhatMayChange() {
        for (int length = SHORTEST; length < 300; length++) {
            fill(length);
            int identification = random.nextInt(1 << 16);
            int sourcePort = random.nextInt(1 << 16);

            icrc.store(AT, length, SOURCE, DESTINATION, identification, sourcePort, PORT);

            assertThat(packets.get(ValueLayout.JAVA_INT_UNALIGNED, AT + length))
                    .as("length %d, seed %d", length, seed)
                    .isEqualTo(bitByBit(length, identification, sourcePort));
        }
    }

    private void fill(int length) {
        for (int i = 0; i < length + Icrc.SIZE_BYTES; i++) {
            packets.set(ValueLayout.JAVA_BYTE, AT + i, (byte) random.nextInt());
        }
    }

    private int bitByBit(int length, int identification, int sourcePort) {
        byte[] packet = packets.asSlice(AT, length).toArray(ValueLayout.JAVA_BYTE);
        packet[4] = (byte) 0xff;
        ByteBuffer covered = ByteBuffer.allocate(8 + 20 + 8 + length)
                .putLong(-1)
                .put(HexFormat.of().parseHex("45ff"))
                .putShort((short) (20 + 8 + length + 4))
                .putShort((short) identification)
                .put(HexFormat.of().parseHex("4000ff11ffff"))
                .putInt(SOURCE)
                .putInt(DESTINATION)
                .putShort((short) sourcePort)
                .putShort((short) PORT)
                .putShort((short) (8 + length + 4))
                .putShort((short) -1)
                .put(packet);
        int crc = -1;
        for (byte each : covered.array()) {
            for (int bit = 0; bit < 8; bit++) {
                boolean odd = ((crc ^ each >> bit) & 1) != 0;
                crc = odd ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
            }
        }
        return ~crc;
    }

    @Test
    void findsEveryIdentification() {
        fill(60);
        for (int identification = 0; identification < 1 << 16; identification++) {
            icrc.store(AT, 60, SOURCE, DESTINATION, identification, 7, PORT);

            assertThat(icrc.identification(AT, 60, SOURCE, DESTINATION, random.nextInt(1 << 16), 7, PORT))
                    .as("seed %d", seed)
                    .isEqualTo(identification);
        }
    }

    @Test
    void findsIdentificationsAtEveryLength() {
        for (int length = SHORTEST; length <= Icrc.MAX_PACKET_BYTES; length++) {
            fill(length);
            int identification = random.nextInt(1 << 16);
            icrc.store(AT, length, SOURCE, DESTINATION, identification, 7, PORT);

            assertThat(icrc.identification(AT, length, SOURCE, DESTINATION, 0, 7, PORT))
                    .as("length %d, seed %d", length, seed)
                    .isEqualTo(identification);
        }
    }

    @Test
    void refusesPacketsWithAFlippedBit() {
        int length = 60;
        fill(length);
        icrc.store(AT, length, SOURCE, DESTINATION, 5, 7, PORT);
        for (int bit = 0; bit < 8 * (length + Icrc.SIZE_BYTES); bit++) {
            flip(bit);
            boolean masked = bit / 8 == 4;
            assertThat(icrc.matches(AT, length, SOURCE, DESTINATION, 5, 7, PORT))
                    .as("bit %d, seed %d", bit, seed)
                    .isEqualTo(masked);
            flip(bit);
        }
    }

    private void flip(int bit) {
        long at = AT + bit / 8;
        byte old = packets.get(ValueLayout.JAVA_BYTE, at);
        packets.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << bit % 8));
    }

    /** Of the longest packet, so that a flipped bit stands at every distance from the identification. */
    @Test
    void longPacketsWithAFlippedBitAreRefusedToo() {
        int length = Icrc.MAX_PACKET_BYTES;
        fill(length);
        icrc.store(AT, length, SOURCE, DESTINATION, 0xabcd, 7, PORT);
        for (int bit = 0; bit < 8 * (length + Icrc.SIZE_BYTES); bit++) {
            flip(bit);
            boolean masked = bit / 8 == 4;
            assertThat(icrc.matches(AT, length, SOURCE, DESTINATION, 0, 7, PORT))
                    .as("bit %d, seed %d", bit, seed)
                    .isEqualTo(masked);
            flip(bit);
        }
    }

    @Test
    void oneRandomIcrcIn65536Passes() {
        int passed = 0;
        fill(60);
        for (int i = 0; i < 1 << 20; i++) {
            packets.set(ValueLayout.JAVA_INT_UNALIGNED, AT + 60, random.nextInt());
            passed += icrc.matches(AT, 60, SOURCE, DESTINATION, 0, 7, PORT) ? 1 : 0;
        }

        // 16 expected; Poisson leaves these bounds once in 10^7.
        assertThat(passed).as("seed %d", seed).isBetween(1, 44);
    }

    @ParameterizedTest
    @CsvSource({"-2147483648", "-5", "0", "11", "4141", "65536", "2147483647"})
    void refusesLengthsThatNoPacketHas(int length) {
        assertThat(icrc.identification(AT, length, SOURCE, DESTINATION, 0, 7, PORT))
                .isEqualTo(Icrc.NO_IDENTIFICATION);
        assertThat(icrc.matches(AT, length, SOURCE, DESTINATION, 0, 7, PORT)).isFalse();
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        fill(4136);
        storeAndSolve(20_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        storeAndSolve(10_000);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    }

    private void storeAndSolve(int times) {
        for (int i = 0; i < times; i++) {
            icrc.store(AT, 4136, SOURCE, DESTINATION, i & 0xffff, 7, PORT);
            assertFound(icrc.identification(AT, 4136, SOURCE, DESTINATION, 0, 7, PORT), i & 0xffff);
        }
    }

    private static void assertFound(int found, int expected) {
        if (found != expected) {
            throw new AssertionError(found + " for " + expected);
        }
    }
}
