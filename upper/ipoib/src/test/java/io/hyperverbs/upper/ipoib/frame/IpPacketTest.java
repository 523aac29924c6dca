package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpPacketTest {
    private static final long SEED = 791;
    private static final String IPV4 = "4500001c 00000000 4011 0000 0a000001 0a000002 0001000200080000";
    private static final String IPV6 = "60000000 0008 3b 40"
            + "fe800000000000000000000000000001 fe800000000000000000000000000002 0001000200080000";
    private static final String IGMP_QUERY = "46c00020 00000000 0102 0000 0a000001 e0000001 94040000 11640000 00000000";
    private static final String MLD_REPORT = "60000000 0024 00 01"
            + "fe800000000000000000000000000001 ff020000000000000000000000000016"
            + "3a00 0502 0000 0100 8f00 0000 00000001 04000000 ff0200000000000000000001ff000001";
    private static final String MLD_DONE = "60000000 0018 3a 01"
            + "fe800000000000000000000000000001 ff020000000000000000000000000002"
            + "84000000 00000000 ff0200000000000000000001ff000001";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static boolean isWellFormed(byte[] bytes) {
        return IpPacket.isWellFormed(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static boolean isReport(byte[] bytes) {
        return IpPacket.isMembershipReport(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    @Test
    void readsIpv4() {
        MemorySegment packet = MemorySegment.ofArray(bytes("ee" + IPV4));

        assertThat(IpPacket.isWellFormed(packet, 1, 28)).isTrue();
        assertThat(IpPacket.version(packet, 1)).isEqualTo(4);
        assertThat(IpPacket.type(packet, 1)).isEqualTo(Encapsulation.IPV4);
        assertThat(IpPacket.headerBytes(packet, 1)).isEqualTo(20);
        assertThat(IpPacket.totalBytes(packet, 1)).isEqualTo(28);
        assertThat(IpPacket.protocol(packet, 1)).isEqualTo(17);
        assertThat(IpPacket.source(packet, 1)).hasToString("10.0.0.1");
        assertThat(IpPacket.destination(packet, 1)).hasToString("10.0.0.2");
        assertThat(new IpAddress(IpPacket.destinationHigh(packet, 1), IpPacket.destinationLow(packet, 1)))
                .isEqualTo(IpPacket.destination(packet, 1));
    }

    @Test
    void readsIpv6() {
        MemorySegment packet = MemorySegment.ofArray(bytes("ee" + IPV6));

        assertThat(IpPacket.isWellFormed(packet, 1, 48)).isTrue();
        assertThat(IpPacket.version(packet, 1)).isEqualTo(6);
        assertThat(IpPacket.type(packet, 1)).isEqualTo(Encapsulation.IPV6);
        assertThat(IpPacket.headerBytes(packet, 1)).isEqualTo(40);
        assertThat(IpPacket.totalBytes(packet, 1)).isEqualTo(48);
        assertThat(IpPacket.protocol(packet, 1)).isEqualTo(59);
        assertThat(IpPacket.source(packet, 1)).hasToString("fe80::1");
        assertThat(IpPacket.destination(packet, 1)).hasToString("fe80::2");
        assertThat(new IpAddress(IpPacket.destinationHigh(packet, 1), IpPacket.destinationLow(packet, 1)))
                .isEqualTo(IpPacket.destination(packet, 1));
    }

    @Test
    void acceptsPadding() {
        assertThat(isWellFormed(bytes(IPV4 + "0000"))).isTrue();
        assertThat(isWellFormed(bytes(IPV6 + "00"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 44", // a header of four words
        "0, 48", // a header longer than the packet
        "0, 55", // another version
        "0, 65", // too short for IPv6
        "3, 13", // a packet shorter than its header
        "3, 1d", // longer than received
        "2, 01",
    })
    void refusesOneWrongByteInIpv4(int at, String value) {
        byte[] packet = bytes(IPV4);
        packet[at] = (byte) Integer.parseInt(value, 16);

        assertThat(isWellFormed(packet)).isFalse();
    }

    @Test
    void refusesWhatIsCutOff() {
        for (String each : new String[] {IPV4, IPV6}) {
            MemorySegment packet = MemorySegment.ofArray(bytes(each));
            for (int length = -1; length < packet.byteSize(); length++) {
                assertThat(IpPacket.isWellFormed(packet, 0, length)).isFalse();
                assertThat(IpPacket.isMembershipReport(packet, 0, length)).isFalse();
            }
            assertThat(IpPacket.isWellFormed(packet, 1, packet.byteSize())).isFalse();
            assertThat(IpPacket.isWellFormed(packet, -1, 20)).isFalse();
            assertThat(IpPacket.isWellFormed(packet, Long.MAX_VALUE, 20)).isFalse();
            assertThat(IpPacket.isWellFormed(packet, 0, Long.MAX_VALUE)).isFalse();
        }
    }

    @Test
    void refusesIpv4AddressesInIpv6() {
        byte[] mapped = new byte[IpAddress.IPV6_BYTES];
        IpAddress.parse("10.0.0.1").writeIpv6(MemorySegment.ofArray(mapped), 0);
        for (int at : new int[] {8, 24}) {
            byte[] packet = bytes(IPV6);
            System.arraycopy(mapped, 0, packet, at, 16);

            assertThat(isWellFormed(packet)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"11, false", "12, true", "16, true", "17, true", "22, true", "13, false"})
    void findsReportsOfIgmp(String type, boolean isReport) {
        byte[] packet = bytes(IGMP_QUERY);
        packet[24] = (byte) Integer.parseInt(type, 16);

        assertThat(isReport(packet)).isEqualTo(isReport);
    }

    @Test
    void findsNoReportInOtherIpv4() {
        byte[] fragment = bytes(IGMP_QUERY);
        fragment[24] = 0x16;
        fragment[7] = 1;
        byte[] empty = bytes(IGMP_QUERY);
        empty[3] = 24;
        empty[24] = 0x16;
        byte[] udp = bytes(IGMP_QUERY);
        udp[24] = 0x16;
        udp[9] = 17;

        assertThat(isReport(fragment)).isFalse();
        assertThat(isReport(empty)).isFalse();
        assertThat(isReport(udp)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"130, false", "131, true", "132, true", "143, true", "135, false"})
    void findsReportsOfMld(int type, boolean isReport) {
        byte[] behindRouterAlert = bytes(MLD_REPORT);
        behindRouterAlert[48] = (byte) type;
        byte[] plain = bytes(MLD_DONE);
        plain[40] = (byte) type;

        assertThat(isReport(behindRouterAlert)).isEqualTo(isReport);
        assertThat(isReport(plain)).isEqualTo(isReport);
    }

    @Test
    void findsNoReportInOtherIpv6() {
        byte[] longOptions = bytes(MLD_REPORT);
        longOptions[41] = (byte) 0xff;
        byte[] udp = bytes(MLD_REPORT);
        udp[40] = 17;
        byte[] empty = bytes(MLD_REPORT);
        empty[5] = 1;
        byte[] nothing = bytes(MLD_DONE);
        nothing[5] = 0;

        assertThat(isReport(longOptions)).isFalse();
        assertThat(isReport(udp)).isFalse();
        assertThat(isReport(empty)).isFalse();
        assertThat(isReport(nothing)).isFalse();
    }

    @Test
    void survivesHostileBytes() {
        Random random = new Random(SEED);
        String[] seeds = {IPV4, IPV6, IGMP_QUERY, MLD_REPORT, MLD_DONE};
        int wellFormed = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] packet = bytes(seeds[i % seeds.length]);
            for (int changes = random.nextInt(5); changes > 0; changes--) {
                packet[random.nextInt(random.nextBoolean() ? 8 : packet.length)] = (byte) random.nextInt();
            }
            MemorySegment memory = MemorySegment.ofArray(packet);
            long at = random.nextInt(4) == 0 ? random.nextInt(packet.length + 4) - 2 : 0;
            long length = random.nextInt(4) == 0 ? random.nextLong() : packet.length - at;

            if (IpPacket.isWellFormed(memory, at, length)) {
                wellFormed++;
                assertThat(at + IpPacket.totalBytes(memory, at))
                        .as("seed %d, step %d", SEED, i)
                        .isLessThanOrEqualTo(packet.length)
                        .isGreaterThanOrEqualTo(at + IpPacket.headerBytes(memory, at));
            } else {
                assertThat(IpPacket.isMembershipReport(memory, at, length)).isFalse();
            }
            IpPacket.isMembershipReport(memory, at, length);
        }
        assertThat(wellFormed).isBetween(5_000, 45_000);
    }
}
