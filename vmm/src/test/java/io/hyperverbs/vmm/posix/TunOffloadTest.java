package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel leaves to who reads a TUN device, and what it does for who writes. The other end of TCP is the test. */
@Timeout(60)
class TunOffloadTest {
    private static final int IP_BYTES = 20;
    private static final int TCP_BYTES = 20;
    private static final int HEADERS = IP_BYTES + TCP_BYTES;
    private static final int UDP_CHECKSUM = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int TCP_SEGMENTS = 1;
    private static final int PORT = 4001;
    private static final int SEGMENT = 1000;
    private static final int FIRST = 7000;

    @TempDir
    private Path folder;

    @BeforeAll
    static void onlyForRoot() {
        assumeTrue(TunNamespace.isPossible(), "only root with /dev/net/tun makes network interfaces");
    }

    @Test
    void checksumsAreLeft() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder, true)) {
            tun.send(pattern(100), PORT);
            byte[] _ = tun.takeIpv4();

            assertThat(header(tun)).isEqualTo(header(1, 0, 0, 0, IP_BYTES, UDP_CHECKSUM));
        }
    }

    @Test
    void nothingIsLeftWhereNobodyAsksForIt() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder)) {
            tun.send(pattern(100), PORT);
            byte[] _ = tun.takeIpv4();

            assertThat(header(tun)).isEqualTo(header(0, 0, 0, 0, 0, 0));
        }
    }

    /** A checksum that is not there is not looked at; a wrong one is. */
    @Test
    void aChecksumThatIsLeftIsNotLookedAt() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder);
                DatagramChannel socket = tun.bind()) {
            MemorySegment packet = udp(TunNamespace.port(socket));
            PacketVector whole = new PacketVector(1).add(packet, 0, packet.byteSize());

            assertThat(tun.write(whole)).isTrue();
            packet.set(ValueLayout.JAVA_BYTE, packet.byteSize() - 1, (byte) 9);
            setHeader(whole, 1, 0, 0, 0, IP_BYTES, UDP_CHECKSUM);
            assertThat(tun.write(whole)).isTrue();

            assertThat(TunNamespace.receive(socket)).endsWith(9);
        }
    }

    @Test
    void takesNoPacketWhoseChecksumIsOutsideOfIt() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder);
                DatagramChannel socket = tun.bind()) {
            MemorySegment packet = udp(TunNamespace.port(socket));
            PacketVector whole = new PacketVector(1).add(packet, 0, packet.byteSize());
            setHeader(whole, 1, 0, 0, 0, IP_BYTES, 4000);

            assertThat(tun.write(whole)).isFalse();
        }
    }

    @Test
    void packetsOfTcpAreLeftUncutAndTakenInPieces() throws IOException {
        try (TunNamespace tun = new TunNamespace(folder, true);
                SocketChannel socket = tun.inside(() -> SocketChannel.open(StandardProtocolFamily.INET))) {
            connect(tun, socket);

            socket.write(ByteBuffer.wrap(pattern(5 * SEGMENT)));
            byte[] packet = tun.takeIpv4();
            assertThat(packet).hasSize(HEADERS + 5 * SEGMENT);
            assertThat(Arrays.copyOfRange(packet, HEADERS, packet.length)).isEqualTo(pattern(5 * SEGMENT));
            MemorySegment said = MemorySegment.ofArray(header(tun));
            assertThat(said.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) TCP_SEGMENTS);
            assertThat(said.get(ValueLayout.JAVA_SHORT_UNALIGNED, 4)).isEqualTo((short) SEGMENT);
            assertThat(said.get(ValueLayout.JAVA_SHORT_UNALIGNED, 6)).isEqualTo((short) IP_BYTES);
            assertThat(said.get(ValueLayout.JAVA_SHORT_UNALIGNED, 8)).isEqualTo((short) TCP_CHECKSUM);

            // What it gets is three segments in one packet, each a piece, without a checksum.
            byte[] answer = tcp(packet, FIRST + 1, 0x10, 2 * SEGMENT + 7);
            MemorySegment memory = Arena.ofAuto().allocate(answer.length);
            MemorySegment _ = memory.copyFrom(MemorySegment.ofArray(answer));
            PacketVector pieces = new PacketVector(3)
                    .add(memory, 0, HEADERS + SEGMENT)
                    .add(memory, HEADERS + SEGMENT, SEGMENT)
                    .add(memory, HEADERS + 2 * SEGMENT, 7);
            setHeader(pieces, 1, TCP_SEGMENTS, HEADERS, SEGMENT, IP_BYTES, TCP_CHECKSUM);
            assertThat(tun.write(pieces)).isTrue();

            ByteBuffer got = ByteBuffer.allocate(2 * SEGMENT + 7);
            socket.socket().setSoTimeout(20_000);
            assertThat(socket.socket().getInputStream().readNBytes(got.capacity()))
                    .isEqualTo(pattern(2 * SEGMENT + 7));
        }
    }

    private static byte[] header(TunNamespace tun) {
        return tun.header().toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] header(int flags, int type, int headers, int segment, int start, int field) {
        PacketVector vector = new PacketVector(1);
        setHeader(vector, flags, type, headers, segment, start, field);
        return vector.header().toArray(ValueLayout.JAVA_BYTE);
    }

    private static void setHeader(
            PacketVector vector, int flags, int type, int headers, int segment, int start, int field) {
        vector.header().set(ValueLayout.JAVA_BYTE, 0, (byte) flags);
        vector.header().set(ValueLayout.JAVA_BYTE, 1, (byte) type);
        long at = 2;
        for (int number : new int[] {headers, segment, start, field}) {
            vector.header().set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) number);
            at += 2;
        }
    }

    /** The test answers for the other end, whose segments have {@value #SEGMENT} bytes. */
    private static void connect(TunNamespace tun, SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        boolean _ = socket.connect(new InetSocketAddress(TunNamespace.OTHER, PORT));
        byte[] request = tun.takeIpv4();
        byte[] answer = tcp(request, FIRST, 0x12, 0);
        byte[] withOption = Arrays.copyOf(answer, answer.length + 4);
        ByteBuffer packet = ByteBuffer.wrap(withOption);
        packet.putShort(2, (short) withOption.length).put(IP_BYTES + 12, (byte) 0x60);
        packet.putInt(HEADERS, 0x0204_0000 | SEGMENT);
        assertThat(tun.write(withSums(withOption))).isTrue();
        boolean isConnected = false;
        while (!isConnected) {
            isConnected = socket.finishConnect();
        }
        byte[] _ = tun.takeIpv4();
        socket.configureBlocking(true);
    }

    /** What the other end sends after a packet of the kernel: acknowledges all of it. */
    private static byte[] tcp(byte[] after, int sequence, int flags, int payloadBytes) {
        ByteBuffer seen = ByteBuffer.wrap(after);
        int header = (seen.get(IP_BYTES + 12) >> 4 & 0xf) * 4;
        int isRequest = seen.get(IP_BYTES + 13) >> 1 & 1;
        int acknowledged = seen.getInt(IP_BYTES + 4) + isRequest + after.length - IP_BYTES - header;
        ByteBuffer packet = ByteBuffer.allocate(HEADERS + payloadBytes);
        packet.putShort((short) 0x4500).putShort((short) packet.capacity()).putInt(0x4000);
        packet.put((byte) 64).put((byte) 6).putShort((short) 0);
        packet.put(after, 16, 4).put(after, 12, 4);
        packet.putShort(seen.getShort(IP_BYTES + 2)).putShort(seen.getShort(IP_BYTES));
        packet.putInt(sequence).putInt(acknowledged);
        packet.put((byte) 0x50).put((byte) flags).putShort((short) 60_000).putInt(0);
        packet.put(pattern(payloadBytes));
        return withSums(packet.array());
    }

    private static byte[] withSums(byte[] packet) {
        ByteBuffer bytes = ByteBuffer.wrap(packet);
        bytes.putShort(10, (short) 0).putShort(IP_BYTES + TCP_CHECKSUM, (short) 0);
        bytes.putShort(10, (short) ~sum(bytes, 0, IP_BYTES, 0));
        int pseudo = sum(bytes, 12, IP_BYTES, 6 + packet.length - IP_BYTES);
        bytes.putShort(IP_BYTES + TCP_CHECKSUM, (short) ~sum(bytes, IP_BYTES, packet.length, pseudo));
        return packet;
    }

    private static int sum(ByteBuffer bytes, int start, int end, int first) {
        int sum = first;
        for (int i = start; i < end; i += 2) {
            int low = i + 1 < end ? bytes.get(i + 1) & 0xff : 0;
            sum += (bytes.get(i) & 0xff) << 8 | low;
        }
        return (sum & 0xffff) + (sum >>> 16) + ((sum & 0xffff) + (sum >>> 16) >>> 16) & 0xffff;
    }

    /** Four bytes to a port, with a checksum that is wrong. */
    private static MemorySegment udp(int port) {
        ByteBuffer packet = ByteBuffer.allocate(IP_BYTES + 8 + 4);
        packet.putShort((short) 0x4500).putShort((short) packet.capacity()).putInt(0);
        packet.put((byte) 64).put((byte) 17).putShort((short) 0);
        packet.put(TunNamespace.OTHER.getAddress()).put(TunNamespace.OWN.getAddress());
        packet.putShort((short) PORT).putShort((short) port).putShort((short) 12);
        packet.putShort((short) 0x1234).putInt(0x0102_0304);
        packet.putShort(10, (short) ~sum(packet, 0, IP_BYTES, 0));
        MemorySegment made = Arena.ofAuto().allocate(packet.capacity());
        return made.copyFrom(MemorySegment.ofArray(packet.array()));
    }
}
