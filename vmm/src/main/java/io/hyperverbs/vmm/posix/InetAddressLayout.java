package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A {@code struct sockaddr_in}, 16 bytes, ip(7). In code an IPv4 address is an int whose highest
 * byte is the first of the dotted form.
 *
 * <pre>
 *  byte  0 family, 2   2 port, big-endian   4 address, big-endian   8 zero
 * </pre>
 */
final class InetAddressLayout {
    static final int AF_INET = 2;
    static final int SIZE_BYTES = 16;

    private static final long PORT_OFFSET = 2;
    private static final long ADDRESS_OFFSET = 4;
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Four bytes in the order of packets, also in other structures. */
    static final ValueLayout.OfInt NETWORK_INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private InetAddressLayout() {}

    static void set(MemorySegment memory, long at, int address, int port) {
        memory.set(JAVA_SHORT, at, (short) AF_INET);
        memory.set(NETWORK_SHORT, at + PORT_OFFSET, (short) port);
        memory.set(NETWORK_INT, at + ADDRESS_OFFSET, address);
    }

    static int port(MemorySegment memory, long at) {
        return Short.toUnsignedInt(memory.get(NETWORK_SHORT, at + PORT_OFFSET));
    }

    static int address(MemorySegment memory, long at) {
        return memory.get(NETWORK_INT, at + ADDRESS_OFFSET);
    }

    /** In the dotted form. */
    static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    static boolean isMulticast(int address) {
        return address >>> 28 == 0xe;
    }
}
