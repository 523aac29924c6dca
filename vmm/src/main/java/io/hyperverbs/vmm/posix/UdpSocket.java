package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A UDP socket over IPv4, non-blocking, and its options: udp(7), ip(7), socket(7). Not connected
 * and without IP_RECVERR, so that no ICMP message ends in an error of a later call.
 */
final class UdpSocket {
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_NONBLOCK = 0x800;

    private static final int SO_REUSEADDR = 2;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_MEMINFO = 55;
    private static final int MEMINFO_DROPS = 8;
    private static final int MEMINFO_WORDS = 9;

    private static final int IP_PKTINFO = 8;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_PMTUDISC_DO = 2;
    private static final int IP_RECVTOS = 13;
    private static final int IP_MULTICAST_IF = 32;
    private static final int IP_MULTICAST_TTL = 33;
    private static final int IP_MULTICAST_LOOP = 34;
    private static final int IP_ADD_MEMBERSHIP = 35;
    private static final int IP_MULTICAST_ALL = 49;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;

    // Linked here and not in SocketCalls, which guests load as well.
    private static final CFunction SETSOCKOPT = CFunction.of("setsockopt");
    private static final CFunction GETSOCKNAME = CFunction.of("getsockname");

    private UdpSocket() {}

    /**
     * Makes the socket of a port and binds it.
     *
     * @param address one of this computer's; also the source of what is sent, and its interface the
     *     one that multicast leaves by
     * @param port 0 for any that is free
     * @param bufferBytes what to ask for in each direction
     */
    static Fd open(int address, int port, int bufferBytes, int multicastTtl) throws PosixException {
        Fd fd = SocketCalls.socket(InetAddressLayout.AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SocketCalls.SOCK_CLOEXEC);
        try {
            prepare(fd, bufferBytes);
            set(fd, MessageVector.SOL_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
            set(fd, MessageVector.SOL_IP, IP_MULTICAST_TTL, multicastTtl, "IP_MULTICAST_TTL");
            set(fd, MessageVector.SOL_IP, IP_MULTICAST_LOOP, 1, "IP_MULTICAST_LOOP");
            bind(fd, address, port);
            setAddresses(fd, IP_MULTICAST_IF, "IP_MULTICAST_IF " + InetAddressLayout.text(address), address);
            return fd;
        } catch (PosixException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Makes a socket that receives what is sent to {@code group} over the interface that has {@code
     * address}. Several processes and users may have one for the same group and port, and each gets
     * all.
     */
    static Fd join(int group, int address, int port, int bufferBytes) throws PosixException {
        Fd fd = SocketCalls.socket(InetAddressLayout.AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SocketCalls.SOCK_CLOEXEC);
        try {
            prepare(fd, bufferBytes);
            set(fd, SocketCalls.SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
            // Else it hears what others of this computer have joined on other interfaces.
            set(fd, MessageVector.SOL_IP, IP_MULTICAST_ALL, 0, "IP_MULTICAST_ALL");
            setAddresses(fd, IP_ADD_MEMBERSHIP, "IP_ADD_MEMBERSHIP " + InetAddressLayout.text(group), group, address);
            bind(fd, group, port);
            return fd;
        } catch (PosixException e) {
            fd.close();
            throw e;
        }
    }

    private static void prepare(Fd fd, int bufferBytes) throws PosixException {
        buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, bufferBytes);
        buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, bufferBytes);
        set(fd, MessageVector.SOL_IP, IP_PKTINFO, 1, "IP_PKTINFO");
        set(fd, MessageVector.SOL_IP, IP_RECVTOS, 1, "IP_RECVTOS");
    }

    /** Beyond the limit of the computer only with CAP_NET_ADMIN. */
    private static void buffer(Fd fd, int forced, int limited, int bytes) throws PosixException {
        try {
            set(fd, SocketCalls.SOL_SOCKET, forced, bytes, "SO_RCVBUFFORCE, SO_SNDBUFFORCE");
        } catch (PosixException e) {
            if (e.errno() != Errno.EPERM) {
                throw e;
            }
            set(fd, SocketCalls.SOL_SOCKET, limited, bytes, "SO_RCVBUF, SO_SNDBUF");
        }
    }

    private static void bind(Fd fd, int address, int port) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(InetAddressLayout.SIZE_BYTES, Long.BYTES);
            InetAddressLayout.set(name, 0, address, port);
            SocketCalls.bind(fd, name, "bind " + InetAddressLayout.text(address) + ":" + port);
        }
    }

    /** The port that it is bound to. */
    static int port(Fd fd) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(InetAddressLayout.SIZE_BYTES, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, InetAddressLayout.SIZE_BYTES);
            CLibrary.check(GETSOCKNAME.call(fd.number(), name.address(), length.address()), "getsockname");
            return InetAddressLayout.port(name, 0);
        }
    }

    /** Asks for UDP_GRO (Linux 5.0): false where the kernel does not know it. */
    static boolean coalesce(Fd fd) throws PosixException {
        try {
            set(fd, MessageVector.SOL_UDP, UDP_GRO, 1, "UDP_GRO");
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOPROTOOPT) {
                return false;
            }
            throw e;
        }
    }

    /** Whether the kernel knows UDP_SEGMENT (Linux 4.18). */
    static boolean knowsSegments(Fd fd) throws PosixException {
        try {
            get(fd, MessageVector.SOL_UDP, UDP_SEGMENT, "UDP_SEGMENT");
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOPROTOOPT) {
                return false;
            }
            throw e;
        }
    }

    /** What the kernel counts against, twice what was asked for: half is for its own records. */
    static int receiveBufferBytes(Fd fd) throws PosixException {
        return get(fd, SocketCalls.SOL_SOCKET, SO_RCVBUF, "SO_RCVBUF");
    }

    static int sendBufferBytes(Fd fd) throws PosixException {
        return get(fd, SocketCalls.SOL_SOCKET, SO_SNDBUF, "SO_SNDBUF");
    }

    /** Datagrams that the kernel dropped at this socket, most for want of room; wraps at 32 bits. */
    static int drops(Fd fd) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(JAVA_INT, MEMINFO_WORDS);
            SocketCalls.option(fd, SocketCalls.SOL_SOCKET, SO_MEMINFO, words, "SO_MEMINFO");
            return words.getAtIndex(JAVA_INT, MEMINFO_DROPS);
        }
    }

    private static void set(Fd fd, int level, int name, int value, String what) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            setOption(fd, level, name, arena.allocateFrom(JAVA_INT, value), what);
        }
    }

    private static int get(Fd fd, int level, int name, String what) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            SocketCalls.option(fd, level, name, value, what);
            return value.get(JAVA_INT, 0);
        }
    }

    private static void setAddresses(Fd fd, int name, String what, int... addresses) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT, addresses.length);
            for (int i = 0; i < addresses.length; i++) {
                value.set(InetAddressLayout.NETWORK_INT, (long) i * Integer.BYTES, addresses[i]);
            }
            setOption(fd, MessageVector.SOL_IP, name, value, what);
        }
    }

    private static void setOption(Fd fd, int level, int name, MemorySegment value, String what) throws PosixException {
        int result = SETSOCKOPT.call(fd.number(), level, name, value.address(), value.byteSize());
        CLibrary.check(result, "setsockopt " + what);
    }
}
