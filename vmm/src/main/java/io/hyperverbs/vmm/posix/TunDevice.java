package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes network interfaces whose packets a program carries: TUN devices of the kernel, in the network namespace of the
 * calling thread. Requests are {@code struct ifreq}, netdevice(7):
 *
 * <pre>
 *  byte  0 name, 16   16 what is asked or set: a sockaddr_in, a number or flags, 24
 * </pre>
 */
public final class TunDevice {
    /** Without it there are no such devices. */
    public static final Path FILE = Path.of("/dev/net/tun");

    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;

    private static final int REQUEST_BYTES = 40;
    private static final int NAME_BYTES = 16;
    private static final long VALUE = 16;

    private static final long TUNSETIFF = 0x4004_54caL;
    private static final long TUNSETOFFLOAD = 0x4004_54d0L;
    private static final long SIOCGIFFLAGS = 0x8913;
    private static final long SIOCSIFFLAGS = 0x8914;
    private static final long SIOCSIFADDR = 0x8916;
    private static final long SIOCSIFNETMASK = 0x891c;
    private static final long SIOCSIFMTU = 0x8922;

    /** IFF_TUN, IFF_NO_PI and IFF_VNET_HDR: packets with the header of a {@link PacketVector}, and nothing else. */
    private static final short TUN_OF_PACKETS = 0x5001;

    /** TUN_F_CSUM, TUN_F_TSO4 and TUN_F_TSO6: the kernel leaves checksums, and packets of TCP uncut. */
    private static final long OFFLOADS = 0b111;

    private static final short IFF_UP = 1;

    private static final int SOCK_DGRAM = 2;

    private TunDevice() {}

    /**
     * What an interface is.
     *
     * @param name at most 15 bytes
     * @param address IPv4, its first byte in the highest bits
     * @param prefixLength of its network, 1 to 32
     * @param mtuBytes of IP packets
     * @param leavesSegments whether the kernel leaves checksums, and packets of TCP uncut, to who reads them
     */
    public record Settings(String name, int address, int prefixLength, int mtuBytes, boolean leavesSegments) {}

    /** Whether this computer has such devices, and this user may open them. */
    public static boolean isHere() {
        return Files.isReadable(FILE) && Files.isWritable(FILE);
    }

    /**
     * Makes one, with its address, and brings it up. It is there until all copies of the descriptor are closed; reads
     * and writes of that do not wait and are of whole packets ({@link PacketFile}).
     *
     * @throws PosixException EPERM without CAP_NET_ADMIN, ENOENT where the kernel has none
     */
    public static Fd make(Settings settings) throws PosixException {
        Fd device = Fd.open(FILE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        boolean made = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
            byte[] name = settings.name.getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(name, 0, request, JAVA_BYTE, 0, name.length);
            request.set(JAVA_SHORT, VALUE, TUN_OF_PACKETS);
            device.ioctl(TUNSETIFF, request, "TUNSETIFF");
            if (settings.leavesSegments) {
                // Not a request, but the number itself.
                device.ioctl(TUNSETOFFLOAD, MemorySegment.ofAddress(OFFLOADS), "TUNSETOFFLOAD");
            }
            try (Fd socket = SocketCalls.socket(InetAddressLayout.AF_INET, SOCK_DGRAM | O_CLOEXEC)) {
                configure(socket, request, settings);
            }
            made = true;
            return device;
        } finally {
            if (!made) {
                device.close();
            }
        }
    }

    private static void configure(Fd socket, MemorySegment request, Settings settings) throws PosixException {
        clear(request).set(JAVA_INT, VALUE, settings.mtuBytes);
        socket.ioctl(SIOCSIFMTU, request, "SIOCSIFMTU");
        InetAddressLayout.set(clear(request), VALUE, settings.address, 0);
        socket.ioctl(SIOCSIFADDR, request, "SIOCSIFADDR");
        InetAddressLayout.set(clear(request), VALUE, -1 << (Integer.SIZE - settings.prefixLength), 0);
        socket.ioctl(SIOCSIFNETMASK, request, "SIOCSIFNETMASK");
        socket.ioctl(SIOCGIFFLAGS, clear(request), "SIOCGIFFLAGS");
        request.set(JAVA_SHORT, VALUE, (short) (request.get(JAVA_SHORT, VALUE) | IFF_UP));
        socket.ioctl(SIOCSIFFLAGS, request, "SIOCSIFFLAGS");
    }

    /** All but the name. */
    private static MemorySegment clear(MemorySegment request) {
        MemorySegment _ = request.asSlice(NAME_BYTES).fill((byte) 0);
        return request;
    }
}
