package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeighbourMessageTest {
    private static final long SEED = 4861;
    private static final HardwareAddress OWN = new HardwareAddress(0x80, 0x48, new Gid(Gid.LINK_LOCAL_PREFIX, 1));
    private static final HardwareAddress PEER = new HardwareAddress(0, 0x1234, new Gid(Gid.LINK_LOCAL_PREFIX, 2));
    private static final IpAddress OWN_ADDRESS = IpAddress.parse("fe80::1");
    private static final IpAddress PEER_ADDRESS = IpAddress.parse("fe80::2");

    // Checksums by a program of a few lines in another language.
    private static final String SOLICITATION = "60000000 0030 3a ff"
            + "fe800000000000000000000000000001 ff0200000000000000000001ff000002"
            + "87 00 fdbb 00000000 fe800000000000000000000000000002"
            + "01 03 0000 80000048 fe80000000000000 0000000000000001";
    private static final String ADVERTISEMENT = "60000000 0030 3a ff"
            + "fe800000000000000000000000000002 fe800000000000000000000000000001"
            + "88 00 0953 60000000 fe800000000000000000000000000002"
            + "02 03 0000 00001234 fe80000000000000 0000000000000002";
    private static final String DUPLICATE_PROBE = "60000000 0018 3a ff"
            + "00000000000000000000000000000000 ff0200000000000000000001ff000002"
            + "87 00 7c23 00000000 fe800000000000000000000000000002";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static byte[] written(NeighbourMessage message) {
        byte[] bytes = new byte[NeighbourMessage.MAX_BYTES + 1];
        Arrays.fill(bytes, (byte) 0xee);
        int length = message.write(MemorySegment.ofArray(bytes), 0);
        assertThat(length).isEqualTo(message.sizeBytes());
        assertThat(bytes[length]).isEqualTo((byte) 0xee);
        return Arrays.copyOf(bytes, length);
    }

    private static Optional<NeighbourMessage> decode(byte[] bytes) {
        return NeighbourMessage.decode(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Writes the length and checksum that a packet of these bytes has. */
    private static byte[] sealed(byte[] bytes) {
        MemorySegment packet = MemorySegment.ofArray(bytes);
        PacketBytes.putShort(packet, 4, bytes.length - 40);
        PacketBytes.putShort(packet, 42, 0);
        int pseudoHeader = InternetChecksum.pseudoHeader(
                IpAddress.readIpv6(packet, 8), IpAddress.readIpv6(packet, 24), 58, bytes.length - 40);
        PacketBytes.putShort(packet, 42, InternetChecksum.of(packet, 40, bytes.length - 40, pseudoHeader));
        return bytes;
    }

    @Test
    void solicits() {
        NeighbourMessage message = NeighbourMessage.solicitation(OWN, OWN_ADDRESS, PEER_ADDRESS);

        assertThat(written(message)).isEqualTo(bytes(SOLICITATION));
        assertThat(decode(bytes(SOLICITATION))).contains(message);
        assertThat(message.isSolicitation()).isTrue();
    }

    @Test
    void answers() {
        NeighbourMessage message =
                NeighbourMessage.solicitation(OWN, OWN_ADDRESS, PEER_ADDRESS).advertisement(PEER);

        assertThat(written(message)).isEqualTo(bytes(ADVERTISEMENT));
        assertThat(decode(bytes(ADVERTISEMENT))).contains(message);
        assertThat(message.isSolicitation()).isFalse();
        assertThat(message.isSolicited()).isTrue();
    }

    @Test
    void looksForDuplicatesAndIsAnsweredToAll() {
        NeighbourMessage message = NeighbourMessage.duplicateProbe(PEER_ADDRESS);

        assertThat(written(message)).isEqualTo(bytes(DUPLICATE_PROBE));
        assertThat(decode(bytes(DUPLICATE_PROBE))).contains(message);
        assertThat(message.advertisement(PEER)).isEqualTo(NeighbourMessage.announcement(PEER, PEER_ADDRESS));
    }

    @Test
    void announces() {
        NeighbourMessage message = NeighbourMessage.announcement(OWN, OWN_ADDRESS);

        assertThat(decode(written(message))).contains(message);
        assertThat(message.destination()).hasToString("ff02::1");
        assertThat(message.isSolicited()).isFalse();
    }

    @Test
    void probesByUnicast() {
        NeighbourMessage message = NeighbourMessage.probe(OWN, OWN_ADDRESS, PEER_ADDRESS);

        assertThat(decode(written(message))).contains(message);
        assertThat(message.destination()).isEqualTo(PEER_ADDRESS);
    }

    @Test
    void keepsTheFlagsOfAnAdvertisementAlone() {
        byte[] router = bytes(ADVERTISEMENT);
        router[44] = (byte) 0xa1;
        byte[] solicitation = bytes(SOLICITATION);
        solicitation[44] = (byte) 0xff;

        assertThat(decode(sealed(router)).orElseThrow().flags())
                .isEqualTo(NeighbourMessage.ROUTER | NeighbourMessage.OVERRIDE | 1);
        assertThat(decode(sealed(solicitation)).orElseThrow().flags()).isZero();
    }

    @Test
    void readsBehindOtherBytesAndBeforePadding() {
        MemorySegment memory = MemorySegment.ofArray(bytes("ffffff" + SOLICITATION + "eeee"));

        assertThat(NeighbourMessage.decode(memory, 3, 90)).isPresent();
        assertThat(NeighbourMessage.decode(memory, 3, 91)).isEmpty();
        assertThat(NeighbourMessage.decode(memory, 3, 87)).isEmpty();
        assertThat(NeighbourMessage.decode(memory, -1, 88)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8, 24, 41, 42, 43, 48, 66, 87})
    void refusesOneWrongByte(int at) {
        byte[] bytes = bytes(SOLICITATION);
        bytes[at] ^= 1;

        assertThat(decode(bytes)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // Each with the checksum it would have.
        "40, 86, false, false", // a router advertisement
        "41, 01, true, false", // code
        "7, fe, true, false", // forwarded by a router
        "8, ff, true, false", // from a group
        "48, ff, true, false", // target in ff00::/8
        "65, 01, true, false", // an option of 8 bytes, and zeros behind it
        "65, 04, true, false", // an option longer than the packet
        "65, 00, true, false",
        "72, ff, true, false", // a group's GID
        "64, 0e, true, true", // a nonce, which is of no interest
        "71, 49, true, true", // another QPN
    })
    void checksWhatTheRfcAsks(int at, String value, boolean isNeighbourMessage, boolean isValid) {
        byte[] bytes = bytes(SOLICITATION);
        bytes[at] = (byte) Integer.parseInt(value, 16);
        sealed(bytes);

        assertThat(NeighbourMessage.isNeighbourMessage(MemorySegment.ofArray(bytes), 0, 88))
                .isEqualTo(isNeighbourMessage);
        assertThat(decode(bytes).isPresent()).isEqualTo(isValid);
    }

    @Test
    void refusesIpv4AsTarget() {
        byte[] bytes = bytes(SOLICITATION);
        IpAddress.parse("10.0.0.1").writeIpv6(MemorySegment.ofArray(bytes), 48);

        assertThat(decode(sealed(bytes))).isEmpty();
    }

    @Test
    void refusesALinkLayerAddressOfAnotherLength() {
        byte[] ethernet = Arrays.copyOf(bytes(SOLICITATION), 72);
        ethernet[65] = 1;

        assertThat(decode(sealed(ethernet))).isEmpty();
    }

    @Test
    void findsItsOptionBehindOthers() {
        byte[] two = bytes(SOLICITATION + "0103 0000 00001234 fe80000000000000 0000000000000002");
        assertThat(decode(sealed(two)).orElseThrow().hardware()).isEqualTo(OWN);

        two[64] = 14;
        assertThat(decode(sealed(two)).orElseThrow().hardware()).isEqualTo(PEER);
    }

    @Test
    void refusesOptionsThatEndEarly() {
        byte[] odd = Arrays.copyOf(bytes(SOLICITATION), 89);
        byte[] pair = Arrays.copyOf(bytes(SOLICITATION), 90);
        byte[] cut = Arrays.copyOf(bytes(SOLICITATION), 63);
        byte[] empty = Arrays.copyOf(bytes(SOLICITATION), 40);

        assertThat(decode(sealed(odd))).isEmpty();
        assertThat(decode(sealed(pair))).isEmpty();
        assertThat(decode(sealed(cut))).isEmpty();
        PacketBytes.putShort(MemorySegment.ofArray(empty), 4, 0);
        assertThat(decode(empty)).isEmpty();
    }

    @Test
    void refusesAddressesThatDoNotGoTogether() {
        IpAddress all = IpAddress.ALL_NODES;
        IpAddress none = IpAddress.UNSPECIFIED;
        int request = NeighbourMessage.SOLICITATION;
        int answer = NeighbourMessage.ADVERTISEMENT;

        for (NeighbourMessage each : new NeighbourMessage[] {
            new NeighbourMessage(request, none, PEER_ADDRESS.solicitedNode(), PEER_ADDRESS, 0, OWN),
            new NeighbourMessage(request, none, PEER_ADDRESS, PEER_ADDRESS, 0, null),
            new NeighbourMessage(answer, none, OWN_ADDRESS, PEER_ADDRESS, 0, PEER),
            new NeighbourMessage(answer, PEER_ADDRESS, all, PEER_ADDRESS, NeighbourMessage.SOLICITED, PEER),
            new NeighbourMessage(answer, PEER_ADDRESS, all, none, 0, PEER),
        }) {
            assertThat(decode(written(each))).as(each.toString()).isEmpty();
        }
    }

    @Test
    void refusesOtherPackets() {
        byte[] udp = bytes(SOLICITATION);
        udp[6] = 17;
        byte[] ipv4 = bytes(SOLICITATION);
        ipv4[0] = 0x45;
        ipv4[3] = 88;
        ipv4[9] = 58;

        assertThat(decode(udp)).isEmpty();
        assertThat(decode(ipv4)).isEmpty();
    }

    @Test
    void refusesToBeAnythingElse() {
        IpAddress ipv4 = IpAddress.parse("10.0.0.1");

        assertThatThrownBy(() -> new NeighbourMessage(134, OWN_ADDRESS, PEER_ADDRESS, PEER_ADDRESS, 0, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NeighbourMessage.probe(OWN, ipv4, PEER_ADDRESS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NeighbourMessage(135, OWN_ADDRESS, ipv4, PEER_ADDRESS, 0, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NeighbourMessage(135, OWN_ADDRESS, PEER_ADDRESS, ipv4, 0, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void survivesHostileBytes() {
        Random random = new Random(SEED);
        String[] seeds = {SOLICITATION, ADVERTISEMENT, DUPLICATE_PROBE};
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = bytes(seeds[i % seeds.length]);
            bytes = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? 40 + random.nextInt(80) : bytes.length);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
            }
            // Most with a right checksum, which no mutation would find by itself.
            byte[] packet = random.nextInt(4) == 0 ? bytes : sealed(Arrays.copyOf(bytes, Math.max(44, bytes.length)));
            MemorySegment memory = MemorySegment.ofArray(packet);
            long at = random.nextInt(4) == 0 ? random.nextInt(packet.length + 4) - 2 : 0;
            long length = random.nextInt(4) == 0 ? random.nextLong() : packet.length - at;

            Optional<NeighbourMessage> message = NeighbourMessage.decode(memory, at, length);

            if (message.isPresent()) {
                accepted++;
                assertThat(decode(written(message.get())))
                        .as("seed %d, step %d", SEED, i)
                        .isEqualTo(message);
            }
        }
        assertThat(accepted).isBetween(2_000, 48_000);
    }
}
