package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** UDP packets over IPv4 as they are on one interface, by a packet(7) socket. For root. */
final class PacketCapture implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;
    private static final int ETHERNET_BYTES = 14;
    private static final int ETHERTYPE_OFFSET = 12;
    private static final int IPV4 = 0x0800;
    private static final int UDP = 17;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final CFunction READ = CFunction.of("read");

    private final Fd socket;
    private final MemorySegment frame = Arena.ofAuto().allocate(1 << 17);

    /** Fields of the IP header; {@code flags} with the fragment offset, 0x4000 is DF. */
    record Packet(int lengthBytes, int identification, int flags) {}

    /** In the network namespace of this thread. */
    PacketCapture(int interfaceIndex) throws PosixException {
        // Made with protocol 0 it hears nothing; bind names the interface and all protocols (3).
        socket = SocketCalls.socket(AF_PACKET, SOCK_RAW_NONBLOCK_CLOEXEC);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(20, 4);
            address.set(JAVA_SHORT, 0, (short) AF_PACKET);
            address.set(NETWORK_SHORT, 2, (short) 3);
            address.set(JAVA_INT, 4, interfaceIndex);
            SocketCalls.bind(socket, address, "bind to interface " + interfaceIndex);
        } catch (PosixException e) {
            socket.close();
            throw e;
        }
    }

    /** The next packets; waits for them ten seconds. */
    List<Packet> take(int count) {
        List<Packet> packets = new ArrayList<>();
        long start = System.nanoTime();
        while (packets.size() < count) {
            if (read() > ETHERNET_BYTES && isUdp()) {
                packets.add(new Packet(number(2), number(4), number(6)));
            }
            if (System.nanoTime() - start > MOST_NANOS) {
                throw new AssertionError("only " + packets);
            }
        }
        return packets;
    }

    private boolean isUdp() {
        return Short.toUnsignedInt(frame.get(NETWORK_SHORT, ETHERTYPE_OFFSET)) == IPV4
                && frame.get(JAVA_BYTE, ETHERNET_BYTES + 9) == UDP;
    }

    private int number(int offset) {
        return Short.toUnsignedInt(frame.get(NETWORK_SHORT, ETHERNET_BYTES + offset));
    }

    private long read() {
        return READ.callLong(socket.number(), frame.address(), frame.byteSize());
    }

    @Override
    public void close() {
        socket.close();
    }
}
