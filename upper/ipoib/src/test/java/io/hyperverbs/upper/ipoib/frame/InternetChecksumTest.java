package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {
    private static final long SEED = 1071;

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static int naive(byte[] bytes, int at, int length, int start) {
        long sum = start;
        for (int i = 0; i < length; i++) {
            sum += (long) (bytes[at + i] & 0xff) << (i % 2 == 0 ? 8 : 0);
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (int) sum;
    }

    /** The example of RFC 1071 §3. */
    @Test
    void sumsTheExampleOfTheRfc() {
        assertThat(InternetChecksum.sum(bytes("0001f203f4f5f6f7"), 0, 8, 0)).isEqualTo(0xddf2);
    }

    @Test
    void sumsAsOneByteAtATimeDoes() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (i % 5 == 0) {
                Arrays.fill(bytes, (byte) 0xff);
            }
            int at = random.nextInt(bytes.length + 1);
            int length = random.nextInt(bytes.length - at + 1);
            int start = random.nextInt(0x1_0000);

            int sum = InternetChecksum.sum(MemorySegment.ofArray(bytes), at, length, start);

            assertThat(sum).as("seed %d, step %d", SEED, i).isEqualTo(naive(bytes, at, length, start));
            assertThat(InternetChecksum.of(MemorySegment.ofArray(bytes), at, length, start))
                    .isEqualTo(~sum & 0xffff);
        }
    }

    @Test
    void sumsLargeMemory() {
        byte[] bytes = new byte[1 << 20];
        Arrays.fill(bytes, (byte) 0xfe);

        assertThat(InternetChecksum.sum(MemorySegment.ofArray(bytes), 1, bytes.length - 1, 7))
                .isEqualTo(naive(bytes, 1, bytes.length - 1, 7));
    }

    @Test
    void refusesWhatIsNotInMemory() {
        assertThatThrownBy(() -> InternetChecksum.sum(bytes("0001"), 0, 3, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void checksAnIpv4Header() {
        MemorySegment header = bytes("45000073 00004000 4011b861 c0a80001 c0a800c7");

        assertThat(InternetChecksum.of(header, 0, 20, 0)).isZero();
        header.set(java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED, 10, (short) 0);
        assertThat(InternetChecksum.of(header, 0, 20, 0)).isEqualTo(0xb861);
    }

    @Test
    void sumsPseudoHeaders() {
        byte[] ipv4 = HexFormat.of().parseHex("c0a80001c0a800c70011fff0");
        byte[] ipv6 = HexFormat.of()
                .parseHex("fe800000000000000102030405060708" + "ff0200000000000000000001ffabcdef" + "000100020000003a");

        assertThat(InternetChecksum.pseudoHeader(
                        IpAddress.parse("192.168.0.1"), IpAddress.parse("192.168.0.199"), 17, 0xfff0))
                .isEqualTo(naive(ipv4, 0, ipv4.length, 0));
        assertThat(InternetChecksum.pseudoHeader(
                        IpAddress.parse("fe80::102:304:506:708"), IpAddress.parse("ff02::1:ffab:cdef"), 58, 0x1_0002))
                .isEqualTo(naive(ipv6, 0, ipv6.length, 0));
    }

    /** UDP over IPv4, ports 1 and 2, payload "ab": the stack left the sum of the pseudo header in the field. */
    @Test
    void completesAChecksum() {
        MemorySegment packet = bytes("ff 4500001e000000004011 0000 0a000001 0a000002 00010002000a 141e 6162 ff");
        int pseudoHeader =
                InternetChecksum.pseudoHeader(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2"), 17, 10);
        assertThat(pseudoHeader).isEqualTo(0x141e);

        assertThat(InternetChecksum.complete(packet, 1, 30, 20, 6)).isTrue();

        assertThat(InternetChecksum.of(packet, 21, 10, pseudoHeader)).isZero();
        assertThat(PacketBytes.getShort(packet, 27)).isEqualTo(~(0x141e + 1 + 2 + 10 + 0x6162) & 0xffff);
        assertThat(PacketBytes.getByte(packet, 31)).isEqualTo(0xff);
    }

    @Test
    void writesNoZeroChecksum() {
        MemorySegment packet = bytes("ffff 0000");

        assertThat(InternetChecksum.complete(packet, 0, 4, 0, 2)).isTrue();

        assertThat(PacketBytes.getShort(packet, 2)).isEqualTo(0xffff);
    }

    @Test
    void leavesAPacketAloneThatHasNoRoomForIt() {
        MemorySegment packet = bytes("0102030405060708");
        int[][] hostile = {
            {0, 9, 0, 0},
            {0, -1, 0, 0},
            {-1, 8, 0, 0},
            {9, 0, 0, 0},
            {0, 8, -1, 4},
            {0, 8, 4, -1},
            {0, 8, 0, 7},
            {0, 8, 7, 0},
            {0, 8, Integer.MAX_VALUE, Integer.MAX_VALUE},
        };

        for (int[] each : hostile) {
            assertThat(InternetChecksum.complete(packet, each[0], each[1], each[2], each[3]))
                    .isFalse();
        }
        assertThat(packet.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(InternetChecksum.complete(packet, 0, 8, 0, 6)).isTrue();
    }
}
