package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets between sockets of a network namespace and who carries them. */
@Timeout(60)
class TunDeviceTest {
    private static final int IP_BYTES = 20;
    private static final int HEADER_BYTES = IP_BYTES + 8;
    private static final byte UDP = 17;
    private static final int PORT = 4000;
    private static final int LONGEST = TunNamespace.MTU_BYTES - HEADER_BYTES;

    @TempDir
    private Path folder;

    @BeforeAll
    static void onlyForRoot() {
        assumeTrue(TunNamespace.isPossible(), "only root with /dev/net/tun makes network interfaces");
    }

    @Test
    void theInterfaceIsUpWithItsMtuInItsNamespaceAlone() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            NetworkInterface made = tun.inside(() -> NetworkInterface.getByName(TunNamespace.NAME));

            assertThat(made.getInterfaceAddresses())
                    .filteredOn(one -> one.getAddress().equals(TunNamespace.OWN))
                    .singleElement()
                    .satisfies(one -> assertThat(one.getNetworkPrefixLength()).isEqualTo((short) 24));
            assertThat(tun.<Boolean>inside(made::isUp)).isTrue();
            assertThat(tun.<Integer>inside(made::getMTU)).isEqualTo(TunNamespace.MTU_BYTES);
            assertThat(NetworkInterface.getByName(TunNamespace.NAME)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, LONGEST})
    void whatASocketSendsIsReadAsAnIpPacket(int length) throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            tun.send(pattern(length), PORT);

            byte[] packet = tun.takeIpv4();
            assertThat(packet).hasSize(HEADER_BYTES + length);
            assertThat(packet[9]).isEqualTo(UDP);
            assertThat(Arrays.copyOfRange(packet, 12, 16)).isEqualTo(TunNamespace.OWN.getAddress());
            assertThat(Arrays.copyOfRange(packet, 16, 20)).isEqualTo(TunNamespace.OTHER.getAddress());
            assertThat(ByteBuffer.wrap(packet).getShort(IP_BYTES + 2)).isEqualTo((short) PORT);
            assertThat(Arrays.copyOfRange(packet, HEADER_BYTES, packet.length)).isEqualTo(pattern(length));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, LONGEST})
    void whatIsWrittenComesToASocket(int length) throws IOException {
        try (TunNamespace tun = new TunNamespace(folder);
                DatagramChannel socket = tun.bind()) {
            assertThat(tun.write(packet(pattern(length), TunNamespace.port(socket))))
                    .isTrue();

            assertThat(TunNamespace.receive(socket)).isEqualTo(pattern(length));
        }
    }

    @Test
    void ofAPacketThatIsLongerThanItsRoomTheRestIsLost() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            tun.send(pattern(500), PORT);
            tun.send(pattern(7), PORT);

            assertThat(tun.takeIpv4(HEADER_BYTES)).hasSize(HEADER_BYTES);
            assertThat(tun.takeIpv4()).hasSize(HEADER_BYTES + 7);
        }
    }

    @Test
    void readsNothingWhenThereIsNothing() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            // Ends when a read has returned 0, and does not wait for a packet.
            assertThatCode(tun::takeAll).doesNotThrowAnyException();
        }
    }

    @Test
    void waitsUntilAPacketComes() throws Exception {
        try (TunNamespace tun = new TunNamespace(folder)) {
            tun.takeAll();
            FutureTask<byte[]> packet = new FutureTask<>(tun::takeIpv4);
            Thread reader = Thread.ofPlatform().start(packet);
            assertThat(packet.isDone()).isFalse();

            tun.send(pattern(9), PORT);

            assertThat(packet.get(10, TimeUnit.SECONDS)).hasSize(HEADER_BYTES + 9);
            reader.join();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x05, 0x35, 0x75, 0xf5})
    void takesNoPacketOfAnotherVersion(int first) throws IOException {
        try (TunNamespace tun = new TunNamespace(folder);
                DatagramChannel socket = tun.bind()) {
            byte[] wrong = packet(pattern(4), TunNamespace.port(socket));
            wrong[0] = (byte) first;

            assertThat(tun.write(wrong)).isFalse();
            assertThat(tun.write(new byte[0])).isFalse();

            // It goes on with what is well-formed.
            assertThat(tun.write(packet(pattern(5), TunNamespace.port(socket)))).isTrue();
            assertThat(TunNamespace.receive(socket)).isEqualTo(pattern(5));
        }
    }

    @Test
    void theInterfaceIsGoneWhenItsFileIsClosed() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            Fd second = tun.inside(() -> TunDevice.make(new TunDevice.Settings("other", 0x0a4d_0201, 24, 1500, false)));
            try (PacketFile file = new PacketFile(second)) {
                assertThat(tun.<Boolean>inside(() -> NetworkInterface.getByName("other") != null))
                        .isTrue();
                assertThat(file).isNotNull();
            }

            assertThat(tun.<Boolean>inside(() -> NetworkInterface.getByName("other") != null))
                    .isFalse();
            assertThat(tun.hasInterface()).isTrue();
        }
    }

    @Test
    void theInterfaceStaysAsLongAsACopyOfItsFile() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            TunDevice.Settings settings = new TunDevice.Settings("other", 0x0a4d_0201, 24, 1500, false);
            Fd copy;
            try (Fd first = tun.inside(() -> TunDevice.make(settings))) {
                copy = first.duplicate();
            }
            try (copy) {
                assertThat(tun.<Boolean>inside(() -> NetworkInterface.getByName("other") != null))
                        .isTrue();
            }
        }
    }

    @Test
    void refusesANameInUse() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            assertThatExceptionOfType(PosixException.class)
                    .isThrownBy(() -> tun.inside(() -> TunDevice.make(TunNamespace.SETTINGS)))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                    .withMessageContaining("TUNSETIFF");

            tun.send(pattern(3), PORT);
            assertThat(tun.takeIpv4()).hasSize(HEADER_BYTES + 3);
        }
    }

    @Test
    void leavesNoInterfaceWhoseSettingsTheKernelRefuses() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            TunDevice.Settings huge = new TunDevice.Settings("other", 0x0a4d_0201, 24, 1 << 20, false);

            assertThatExceptionOfType(PosixException.class)
                    .isThrownBy(() -> tun.inside(() -> TunDevice.make(huge)))
                    .withMessageContaining("SIOCSIFMTU");
            assertThat(tun.<Boolean>inside(() -> NetworkInterface.getByName("other") != null))
                    .isFalse();
        }
    }

    /** From 10.77.1.2 to the namespace; UDP without a checksum, as IPv4 allows. */
    private static byte[] packet(byte[] payload, int port) {
        ByteBuffer packet = ByteBuffer.allocate(HEADER_BYTES + payload.length);
        packet.put((byte) 0x45).put((byte) 0).putShort((short) packet.capacity());
        packet.putInt(0).put((byte) 64).put(UDP).putShort((short) 0);
        packet.put(TunNamespace.OTHER.getAddress()).put(TunNamespace.OWN.getAddress());
        packet.putShort((short) PORT).putShort((short) port).putShort((short) (8 + payload.length));
        packet.putShort((short) 0).put(payload);
        int sum = 0;
        for (int at = 0; at < IP_BYTES; at += 2) {
            sum += Short.toUnsignedInt(packet.getShort(at));
        }
        packet.putShort(10, (short) ~((sum & 0xffff) + (sum >>> 16)));
        return packet.array();
    }
}
