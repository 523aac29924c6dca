package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArpMessageTest {
    private static final long SEED = 826;
    private static final HardwareAddress OWN = new HardwareAddress(0x80, 0x48, new Gid(Gid.LINK_LOCAL_PREFIX, 1));
    private static final HardwareAddress PEER = new HardwareAddress(0, 0x1234, new Gid(Gid.LINK_LOCAL_PREFIX, 2));
    private static final IpAddress OWN_ADDRESS = IpAddress.parse("10.0.0.1");
    private static final IpAddress PEER_ADDRESS = IpAddress.parse("10.0.0.2");

    private static final String REQUEST = "0020 0800 14 04 0001"
            + "80000048 fe80000000000000 0000000000000001 0a000001"
            + "00000000 0000000000000000 0000000000000000 0a000002";
    private static final String REPLY = "0020 0800 14 04 0002"
            + "00001234 fe80000000000000 0000000000000002 0a000002"
            + "80000048 fe80000000000000 0000000000000001 0a000001";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static byte[] written(ArpMessage message) {
        byte[] bytes = new byte[ArpMessage.SIZE_BYTES];
        message.write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    @Test
    void writesARequest() {
        ArpMessage request = ArpMessage.request(OWN, OWN_ADDRESS, PEER_ADDRESS);

        assertThat(written(request)).isEqualTo(bytes(REQUEST));
        assertThat(request.isAnnouncement()).isFalse();
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes(REQUEST)), 0, 56))
                .contains(request);
    }

    @Test
    void answersARequest() {
        ArpMessage reply = ArpMessage.request(OWN, OWN_ADDRESS, PEER_ADDRESS).reply(PEER);

        assertThat(written(reply)).isEqualTo(bytes(REPLY));
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes(REPLY)), 0, 56))
                .contains(reply);
    }

    @Test
    void announcesAnAddress() {
        ArpMessage message = ArpMessage.announcement(OWN, OWN_ADDRESS);

        assertThat(message.isAnnouncement()).isTrue();
        assertThat(ArpMessage.decode(MemorySegment.ofArray(written(message)), 0, 56))
                .contains(message);
    }

    @Test
    void readsBehindOtherBytesAndBeforePadding() {
        byte[] bytes = bytes("ffffff" + REPLY + "eeee");

        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 3, 58)).isPresent();
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 3, 59)).isEmpty();
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 3, 55)).isEmpty();
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), -1, 56)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 01", // hardware type
        "2, 86", // protocol
        "4, 06", // hardware length
        "5, 10", // protocol length
        "7, 03", // operation
        "7, 00", "6, 01", "28, e0", // sender in 224.0.0.0/4
        "12, ff", // a group's GID
    })
    void refusesOneWrongByte(int at, String value) {
        byte[] bytes = bytes(REPLY);
        bytes[at] = (byte) Integer.parseInt(value, 16);

        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 0, 56)).isEmpty();
    }

    @Test
    void refusesASenderThatNoNodeCanBe() {
        for (HardwareAddress sender : new HardwareAddress[] {
            HardwareAddress.NONE,
            HardwareAddress.ofGroup(MulticastGid.broadcast(1)),
            new HardwareAddress(0, 1, OWN.gid())
        }) {
            byte[] bytes = written(ArpMessage.request(sender, OWN_ADDRESS, PEER_ADDRESS));

            assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 0, 56)).isEmpty();
        }
        byte[] bytes = written(ArpMessage.request(OWN, IpAddress.BROADCAST, PEER_ADDRESS));
        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 0, 56)).isEmpty();
    }

    @Test
    void acceptsAProbe() {
        byte[] bytes = written(ArpMessage.request(OWN, IpAddress.UNSPECIFIED_IPV4, PEER_ADDRESS));

        assertThat(ArpMessage.decode(MemorySegment.ofArray(bytes), 0, 56)).isPresent();
    }

    @Test
    void refusesToBeAnythingElse() {
        assertThatThrownBy(() -> new ArpMessage(3, OWN, OWN_ADDRESS, PEER, PEER_ADDRESS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ArpMessage.request(OWN, IpAddress.parse("fe80::1"), PEER_ADDRESS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ArpMessage.request(OWN, OWN_ADDRESS, IpAddress.parse("fe80::1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void survivesHostileBytes() {
        Random random = new Random(SEED);
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = bytes(i % 2 == 0 ? REQUEST : REPLY);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int at = random.nextInt(60) - 2;
            int length = random.nextInt(3) == 0 ? random.nextInt() : 56 - Math.max(0, at);

            var message =
                    ArpMessage.decode(MemorySegment.ofArray(bytes), i % 3 == 0 ? at : 0, i % 3 == 0 ? length : 56);

            if (message.isPresent()) {
                accepted++;
                assertThat(written(message.get()))
                        .as("seed %d, step %d", SEED, i)
                        .isEqualTo(bytes);
            }
        }
        assertThat(accepted).isBetween(1_000, 49_000);
    }
}
