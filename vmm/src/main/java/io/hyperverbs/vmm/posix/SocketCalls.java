package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Socket functions that sockets of more than one family are made of, and those of packet sockets. */
final class SocketCalls {
    static final int SOL_SOCKET = 1;
    static final int SOCK_CLOEXEC = 0x80000;

    private static final int SOCK_SEQPACKET = 5;
    private static final int SO_PEERCRED = 17;
    private static final int SHUT_RDWR = 2;

    private static final FunctionDescriptor ADDRESS_CALL = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final FunctionDescriptor MESSAGE_CALL =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);

    private static final MethodHandle SOCKET =
            CLibrary.link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKETPAIR =
            CLibrary.link("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle BIND = CLibrary.link("bind", ADDRESS_CALL);
    private static final MethodHandle CONNECT = CLibrary.link("connect", ADDRESS_CALL);
    private static final MethodHandle LISTEN =
            CLibrary.link("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            CLibrary.link("accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle SHUTDOWN =
            CLibrary.link("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle GETSOCKOPT = CLibrary.link(
            "getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle SENDMSG = CLibrary.link("sendmsg", MESSAGE_CALL);
    private static final MethodHandle RECVMSG = CLibrary.link("recvmsg", MESSAGE_CALL);

    private SocketCalls() {}

    static Fd socket() throws PosixException {
        return socket(UnixAddress.AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC);
    }

    static Fd socket(int family, int type) throws PosixException {
        try {
            int number = (int) SOCKET.invokeExact(CLibrary.capture(), family, type, 0);
            return new Fd(CLibrary.check(number, "socket"));
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Both ends of a connection. */
    static Fd[] pair() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 2);
            int result = (int) SOCKETPAIR.invokeExact(
                    CLibrary.capture(), UnixAddress.AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers);
            CLibrary.check(result, "socketpair");
            return new Fd[] {new Fd(numbers.getAtIndex(JAVA_INT, 0)), new Fd(numbers.getAtIndex(JAVA_INT, 1))};
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
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

    private static void addressCall(MethodHandle call, Fd fd, MemorySegment address, String what)
            throws PosixException {
        try {
            int result = (int) call.invokeExact(CLibrary.capture(), fd.number(), address, (int) address.byteSize());
            CLibrary.check(result, what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    static void listen(Fd fd, int backlog) throws PosixException {
        try {
            CLibrary.check((int) LISTEN.invokeExact(CLibrary.capture(), fd.number(), backlog), "listen");
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Blocks; {@link #shutdown} of the listening socket ends it with EINVAL. */
    static Fd accept(Fd fd) throws PosixException {
        try {
            while (true) {
                int number = (int) ACCEPT.invokeExact(
                        CLibrary.capture(), fd.number(), MemorySegment.NULL, MemorySegment.NULL, SOCK_CLOEXEC);
                if (number >= 0 || CLibrary.errno() != Errno.EINTR) {
                    return new Fd(CLibrary.check(number, "accept"));
                }
            }
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    /** Ends blocked and later calls on the socket; one that is not connected is left alone. */
    static void shutdown(Fd fd) {
        try {
            int ignored = (int) SHUTDOWN.invokeExact(CLibrary.capture(), fd.number(), SHUT_RDWR);
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
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
                    (int) GETSOCKOPT.invokeExact(CLibrary.capture(), fd.number(), level, name, value, length),
                    "getsockopt " + what);
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
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

    private static long transfer(MethodHandle call, Fd fd, MemorySegment header, int flags, String what)
            throws PosixException {
        try {
            while (true) {
                long count = (long) call.invokeExact(CLibrary.capture(), fd.number(), header, flags);
                if (count >= 0) {
                    return count;
                }
                if (CLibrary.errno() != Errno.EINTR) {
                    throw new PosixException(what, CLibrary.errno());
                }
            }
        } catch (PosixException e) {
            throw e;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
