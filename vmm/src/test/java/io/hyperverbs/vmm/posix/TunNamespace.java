package io.hyperverbs.vmm.posix;

import io.hyperverbs.vmm.sandbox.KeptNamespace;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A network namespace with interface {@code tun0}, which has 10.77.1.1/24; its packets are the test's. For root. */
final class TunNamespace implements AutoCloseable {
    static final String NAME = "tun0";
    static final int MTU_BYTES = 2044;
    static final InetAddress OWN = address(1);
    static final InetAddress OTHER = address(2);
    static final TunDevice.Settings SETTINGS = settings(false);

    private static final int ROOM_BYTES = 8 * MTU_BYTES;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final KeptNamespace namespace;
    private final PacketFile packets;
    private final PacketVector vector = new PacketVector(1);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment room = arena.allocate(ROOM_BYTES);

    TunNamespace(Path folder) throws IOException {
        this(folder, false);
    }

    TunNamespace(Path folder, boolean leavesSegments) throws IOException {
        this.namespace = KeptNamespace.make(folder, SandboxTier.ROOT);
        try {
            this.packets = new PacketFile(inside(() -> TunDevice.make(settings(leavesSegments))));
        } catch (IOException | RuntimeException | Error e) {
            namespace.close();
            throw e;
        }
    }

    private static TunDevice.Settings settings(boolean leavesSegments) {
        return new TunDevice.Settings(NAME, 0x0a4d_0101, 24, MTU_BYTES, leavesSegments);
    }

    /** The header of the last packet. */
    MemorySegment header() {
        return vector.header();
    }

    /** Whether this user and this computer make such interfaces. */
    static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && TunDevice.isHere();
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 77, 1, (byte) last});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    <T> T inside(NetworkNamespace.Work<T> work) throws IOException {
        return NetworkNamespace.inside(namespace.file(), work);
    }

    boolean hasInterface() throws IOException {
        return inside(() -> NetworkInterface.getByName(NAME) != null);
    }

    /** A socket of the namespace. */
    DatagramChannel bind() throws IOException {
        return inside(() -> DatagramChannel.open(StandardProtocolFamily.INET).bind(new InetSocketAddress(OWN, 0)));
    }

    void send(byte[] payload, int port) throws IOException {
        try (DatagramChannel socket = bind()) {
            int _ = socket.send(ByteBuffer.wrap(payload), new InetSocketAddress(OTHER, port));
        }
    }

    /** What comes next to a socket. */
    static byte[] receive(DatagramChannel socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[MTU_BYTES], MTU_BYTES);
        socket.socket().setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(MOST_NANOS));
        socket.socket().receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    static int port(DatagramChannel socket) throws IOException {
        SocketAddress local = socket.getLocalAddress();
        return ((InetSocketAddress) local).getPort();
    }

    /** The next IPv4 packet: the kernel asks for routers by IPv6 besides. */
    byte[] takeIpv4() throws PosixException {
        return takeIpv4(room.byteSize());
    }

    /** As much of it as there is room for. */
    byte[] takeIpv4(long roomBytes) throws PosixException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < MOST_NANOS) {
            int bytes = packets.read(vector.clear().add(room, 0, roomBytes));
            if (bytes == 0) {
                packets.await(MOST_NANOS);
            } else if (room.get(ValueLayout.JAVA_BYTE, 0) >> 4 == 4) {
                return bytes(bytes);
            }
        }
        throw new AssertionError("no packet");
    }

    /** Takes all that there is now. */
    void takeAll() throws PosixException {
        long start = System.nanoTime();
        while (packets.read(vector.clear().add(room, 0, ROOM_BYTES)) > 0) {
            if (System.nanoTime() - start > MOST_NANOS) {
                throw new AssertionError("packets without an end");
            }
        }
    }

    private byte[] bytes(int count) {
        return room.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }

    boolean write(byte[] packet) throws PosixException {
        MemorySegment segment = arena.allocate(packet.length);
        MemorySegment _ = segment.copyFrom(MemorySegment.ofArray(packet));
        return write(new PacketVector(1).add(segment, 0, packet.length));
    }

    boolean write(PacketVector packet) throws PosixException {
        return packets.write(packet);
    }

    @Override
    public void close() {
        packets.close();
        namespace.close();
        arena.close();
    }
}
