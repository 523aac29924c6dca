package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TooBigMessageTest {
    private static final int MTU = 4092;

    private final MemorySegment written = MemorySegment.ofArray(new byte[TooBigMessage.MOST_BYTES]);

    private int write(byte[] packet) {
        byte[] shifted = new byte[packet.length + 4];
        System.arraycopy(packet, 0, shifted, 4, packet.length);
        return TooBigMessage.write(MemorySegment.ofArray(shifted), 4, MTU, written);
    }

    private String hex(int at, int bytes) {
        return HexFormat.of().formatHex(written.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    private static byte[] ipv4(int totalBytes) {
        byte[] packet = new byte[totalBytes];
        new Random(3).nextBytes(packet);
        byte[] header = HexFormat.of().parseHex("4500%04x00004000401100000a0100010a010002".formatted(totalBytes));
        System.arraycopy(header, 0, packet, 0, header.length);
        return packet;
    }

    private static byte[] ipv6(int totalBytes) {
        byte[] packet = new byte[totalBytes];
        new Random(4).nextBytes(packet);
        byte[] header = HexFormat.of()
                .parseHex("60000000%04x1140".formatted(totalBytes - 40) + "fe80000000000000000000000000000a"
                        + "fe80000000000000000000000000000b");
        System.arraycopy(header, 0, packet, 0, header.length);
        return packet;
    }

    @Test
    void saysToIpv4ThatFragmentationIsNeeded() {
        byte[] packet = ipv4(9000);

        int bytes = write(packet);

        assertThat(bytes).isEqualTo(20 + 8 + 512);
        assertThat(hex(0, 10)).isEqualTo("4500021c000000004001");
        assertThat(hex(12, 8)).isEqualTo("0a0100020a010001");
        assertThat(hex(20, 2)).isEqualTo("0304");
        assertThat(hex(24, 4)).isEqualTo("00000ffc");
        assertThat(hex(28, 512)).isEqualTo(HexFormat.of().formatHex(packet, 0, 512));
        assertThat(InternetChecksum.of(written, 0, 20, 0)).isZero();
        assertThat(InternetChecksum.of(written, 20, bytes - 20, 0)).isZero();
        assertThat(IpPacket.isWellFormed(written, 0, bytes)).isTrue();
    }

    @Test
    void saysToIpv6ThatThePacketIsTooBig() {
        byte[] packet = ipv6(9000);

        int bytes = write(packet);

        assertThat(bytes).isEqualTo(TooBigMessage.MOST_BYTES);
        assertThat(hex(0, 8)).isEqualTo("6000000002083a40");
        assertThat(IpPacket.source(written, 0)).isEqualTo(IpAddress.parse("fe80::b"));
        assertThat(IpPacket.destination(written, 0)).isEqualTo(IpAddress.parse("fe80::a"));
        assertThat(hex(40, 2)).isEqualTo("0200");
        assertThat(hex(44, 4)).isEqualTo("00000ffc");
        assertThat(hex(48, 512)).isEqualTo(HexFormat.of().formatHex(packet, 0, 512));
        int start = InternetChecksum.pseudoHeader(
                IpAddress.parse("fe80::b"), IpAddress.parse("fe80::a"), IpPacket.ICMPV6, bytes - 40);
        assertThat(InternetChecksum.of(written, 40, bytes - 40, start)).isZero();
    }

    @Test
    void quotesAShortPacketWhole() {
        assertThat(write(ipv4(33))).isEqualTo(20 + 8 + 33);
        assertThat(hex(28, 33)).isEqualTo(HexFormat.of().formatHex(ipv4(33)));
        assertThat(write(ipv6(47))).isEqualTo(40 + 8 + 47);
        assertThat(hex(48, 47)).isEqualTo(HexFormat.of().formatHex(ipv6(47)));
    }
}
