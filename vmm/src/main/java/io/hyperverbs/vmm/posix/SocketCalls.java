package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;

/** Socket functions that sockets of more than one family are made of, and those of packet sockets. */
final class SocketCalls {
    static final int SOL_SOCKET = 1;
    static final int SOCK_CLOEXEC = 0x80000;

    private static final int SOCK_SEQPACKET = 5;
    private static final int SO_PEERCRED = 17;
    private static final int SHUT_RDWR = 2;

    private static final CFunction SOCKET = CFunction.of("socket");
    private static final CFunction SOCKETPAIR = CFunction.of("socketpair");
    private static final CFunction BIND = CFunction.of("bind");
    private static final CFunction CONNECT = CFunction.of("connect");
    private static final CFunction LISTEN = CFunction.of("listen");
    private static final CFunction ACCEPT = CFunction.of("accept4");
    private static final CFunction SHUTDOWN = CFunction.of("shutdown");
    private static final CFunction GETSOCKOPT = CFunction.of("getsockopt");
    private static final CFunction SENDMSG = CFunction.of("sendmsg");
    private static final CFunction RECVMSG = CFunction.of("recvmsg");

    private SocketCalls() {}

    static Fd socket() throws PosixException {
        return socket(UnixAddress.AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC);
    }

    static Fd socket(int family, int type) throws PosixException {
        int number = SOCKET.call(family, type, 0);
        return new Fd(CLibrary.check(number, "socket"));
    }

    /** Both ends of a connection. */
    static Fd[] pair() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 2);
            int result = SOCKETPAIR.call(UnixAddress.AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers.address());
            CLibrary.check(result, "socketpair");
            return new Fd[] {new Fd(numbers.getAtIndex(JAVA_INT, 0)), new Fd(numbers.getAtIndex(JAVA_INT, 1))};
        }
    }

    static void bind(Fd fd, Path path) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            addressCall(BIND, fd, UnixAddress.of(path, arena), "bind " + path);
        }
    }

    /** {@code what} words a failure. */
    static void bind(Fd fd, MemorySegment address, String what) throws PosixException {
        addressCall(BIND, fd, address, what);
    }

    static void connect(Fd fd, Path path) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            addressCall(CONNECT, fd, UnixAddress.of(path, arena), "connect to " + path);
        }
    }

    private static void addressCall(CFunction call, Fd fd, MemorySegment address, String what) throws PosixException {
        int result = call.call(fd.number(), address.address(), address.byteSize());
        CLibrary.check(result, what);
    }

    static void listen(Fd fd, int backlog) throws PosixException {
        CLibrary.check(LISTEN.call(fd.number(), backlog), "listen");
    }

    /** Blocks; {@link #shutdown} of the listening socket ends it with EINVAL. */
    static Fd accept(Fd fd) throws PosixException {
        while (true) {
            int number = ACCEPT.call(fd.number(), 0, 0, SOCK_CLOEXEC);
            if (number >= 0 || CLibrary.errno() != Errno.EINTR) {
                return new Fd(CLibrary.check(number, "accept"));
            }
        }
    }

    /** Ends blocked and later calls on the socket; one that is not connected is left alone. */
    static void shutdown(Fd fd) {
        int _ = SHUTDOWN.call(fd.number(), SHUT_RDWR);
    }

    static PeerCredentials peerCredentials(Fd fd) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(12, 4);
            option(fd, SOL_SOCKET, SO_PEERCRED, credentials, "SO_PEERCRED");
            return new PeerCredentials(
                    credentials.get(JAVA_INT, 0), credentials.get(JAVA_INT, 4), credentials.get(JAVA_INT, 8));
        }
    }

    /** Reads an option into {@code value}, all of it or as much as there is. */
    static void option(Fd fd, int level, int name, MemorySegment value, String what) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) value.byteSize());
            CLibrary.check(
                    GETSOCKOPT.call(fd.number(), level, name, value.address(), length.address()), "getsockopt " + what);
        }
    }

    /** Blocks while the peer does not read. */
    static long sendmsg(Fd fd, MemorySegment header, int flags) throws PosixException {
        return transfer(SENDMSG, fd, header, flags, "sendmsg");
    }

    /** Blocks until there is a packet; zero at the end. */
    static long recvmsg(Fd fd, MemorySegment header, int flags) throws PosixException {
        return transfer(RECVMSG, fd, header, flags, "recvmsg");
    }

    private static long transfer(CFunction call, Fd fd, MemorySegment header, int flags, String what)
            throws PosixException {
        try {
            while (true) {
                long count = call.callLong(fd.number(), header.address(), flags);
                if (count >= 0) {
                    return count;
                }
                if (CLibrary.errno() != Errno.EINTR) {
                    throw new PosixException(what, CLibrary.errno());
                }
            }
        } finally {
            Reference.reachabilityFence(header);
        }
    }
}
