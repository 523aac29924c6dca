package io.hyperverbs.vmm.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Writes the system call filter of a guest as classic BPF over {@code struct seccomp_data}: number
 * (4 bytes), architecture (4), instruction pointer (8), six arguments (8 each). What is not allowed
 * fails with an error and nothing dies, so that a program sees what it may not do: EPERM, or ENOSYS
 * for calls so new that C libraries have older ways.
 */
final class CallFilter {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_AT_LEAST = 0x35;
    private static final int AND = 0x54;
    private static final int RETURN = 0x06;

    private static final int AT_NUMBER = 0;
    private static final int AT_ARCHITECTURE = 4;

    /** The low half of the first argument; the next is eight bytes further. */
    private static final int AT_ARGUMENTS = 16;

    private static final int ALLOW = 0x7fff_0000;
    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int FAIL = 0x0005_0000;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    private static final int X86_64 = 0xc000_003e;
    private static final int X32_CALLS = 0x4000_0000;

    /** pidfd_send_signal, the first of the numbers that all architectures share. */
    private static final int FIRST_NEW_CALL = 424;

    private static final int OPEN = 2;
    private static final int MMAP = 9;
    private static final int IOCTL = 16;
    private static final int MADVISE = 28;
    private static final int SOCKET = 41;
    private static final int CONNECT = 42;
    private static final int SOCKETPAIR = 53;
    private static final int SETSOCKOPT = 54;
    private static final int CLONE = 56;
    private static final int KILL = 62;
    private static final int FCNTL = 72;
    private static final int MKNOD = 133;
    private static final int PRCTL = 157;
    private static final int TGKILL = 234;
    private static final int OPENAT = 257;
    private static final int MKNODAT = 259;
    private static final int ACCEPT4 = 288;
    private static final int PRLIMIT64 = 302;

    /** A file without a name. */
    private static final int O_TMPFILE = 0x40_0000;

    /** Of a file's mode, what kind it is; and a named pipe. */
    private static final int KIND = 0xf000;

    private static final int NAMED_PIPE = 0x1000;

    /** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
    private static final int WRITING = 0x243;

    private static final int MAP_SHARED = 0x01;
    private static final int MAP_ANONYMOUS = 0x20;

    /**
     * MAP_GROWSDOWN, which no limit of data counts, and MAP_HUGETLB, which takes the computer's.
     */
    private static final int GROWING_OR_HUGE = 0x4_0100;

    /** MADV_WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, POPULATE_WRITE. */
    private static final int[] ADVICE = {3, 4, 8, 14, 15, 16, 17, 23};

    /** TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO. */
    private static final int[] DEVICE_REQUESTS = {0x5401, 0x5413, 0x541b, 0x5421};

    /**
     * F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC. Not
     * F_SETOWN and F_SETSIG: they name who gets a signal.
     */
    private static final int[] FILE_COMMANDS = {0, 1, 2, 3, 4, 5, 6, 7, 1030};

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_STREAM = 1;

    /** Without SOCK_CLOEXEC and SOCK_NONBLOCK. */
    private static final int SOCKET_TYPE = 0xf;

    private static final int SOL_SOCKET = 1;

    /** SO_REUSEADDR, SNDBUF, RCVBUF, KEEPALIVE, LINGER, RCVTIMEO, SNDTIMEO. */
    private static final int[] SOCKET_OPTIONS = {2, 7, 8, 9, 13, 20, 21};

    /** PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA. */
    private static final int[] PROCESS_OPTIONS = {3, 15, 16, 0x53_564d_41};

    /**
     * Besides: F_SETOWN, F_GETOWN. A signal of the kernel's goes where kill may send one, by Landlock too; F_SETSIG would
     * choose it.
     */
    private static final int[] EXECUTABLE_COMMANDS = joined(FILE_COMMANDS, 8, 9);

    /**
     * Besides: FIONCLEX, FIOCLEX, SIOCGIFNAME, SIOCGIFCONF, and flags, address, netmask, MTU, hardware address and index
     * of an interface.
     */
    private static final int[] EXECUTABLE_REQUESTS =
            joined(DEVICE_REQUESTS, 0x5450, 0x5451, 0x8910, 0x8912, 0x8913, 0x8915, 0x891b, 0x8921, 0x8927, 0x8933);

    /**
     * Besides: PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_KEEPCAPS, PR_CAPBSET_READ, PR_SET_CHILD_SUBREAPER,
     * PR_GET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS.
     */
    private static final int[] EXECUTABLE_OPTIONS = joined(PROCESS_OPTIONS, 1, 2, 8, 23, 36, 37, 38, 39);

    /** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET. */
    private static final int NEW_NAMESPACES = 0x7e02_0000;

    private static final int CLONE_THREAD = 0x1_0000;

    private static final int MAX_BYTES = 8192;

    private final ByteBuffer code = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());

    private CallFilter() {}

    /**
     * What a guest needs and no more, for {@link io.hyperverbs.vmm.posix.Seccomp#install}.
     *
     * @param pid the guest's own process number: signals and limits are for that alone
     * @param hasWalls whether it has file systems and a network of its own: else it neither changes
     *     files nor makes sockets; those that are open stay
     */
    static ByteBuffer forGuests(int pid, boolean hasWalls) {
        return forGuests(pid, hasWalls, false);
    }

    /** What a guest needs that listens for its executables: it accepts, but makes no socket that listens. */
    static ByteBuffer forListeningGuests(int pid) {
        return forGuests(pid, true, true);
    }

    private static ByteBuffer forGuests(int pid, boolean hasWalls, boolean accepts) {
        CallFilter filter = new CallFilter();
        filter.begin();
        if (accepts) {
            filter.allow(ACCEPT4);
        }
        for (int call : hasWalls ? AllowedCalls.all() : AllowedCalls.withoutChanges()) {
            filter.allow(call);
        }
        filter.allowByArguments(pid);
        int refused = hasWalls ? O_TMPFILE : O_TMPFILE | WRITING;
        filter.allow(OPEN, Check.without(1, refused));
        filter.allow(OPENAT, Check.without(2, refused));
        if (hasWalls) {
            filter.allow(CONNECT);
            filter.allow(SOCKET, Check.is(0, AF_UNIX), new Check(1, SOCKET_TYPE, new int[] {SOCK_STREAM}));
        }
        filter.end();
        return filter.code.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * What executables in a guest need besides, and its driver too: who starts them has this filter, and takes that of
     * guests on top. Only where a guest has walls.
     */
    static ByteBuffer forExecutables() {
        CallFilter filter = new CallFilter();
        filter.begin();
        for (int call : AllowedCalls.all()) {
            filter.allow(call);
        }
        for (int call : ExecutableCalls.all()) {
            filter.allow(call);
        }
        filter.allowMemory();
        filter.allow(OPEN, Check.without(1, O_TMPFILE));
        filter.allow(OPENAT, Check.without(2, O_TMPFILE));
        filter.allow(MKNOD, new Check(1, KIND, new int[] {NAMED_PIPE}));
        filter.allow(MKNODAT, new Check(2, KIND, new int[] {NAMED_PIPE}));
        filter.allow(IOCTL, Check.is(1, EXECUTABLE_REQUESTS));
        filter.allow(FCNTL, Check.is(1, EXECUTABLE_COMMANDS));
        filter.allow(PRCTL, Check.is(0, EXECUTABLE_OPTIONS));
        filter.allow(CLONE, Check.without(0, NEW_NAMESPACES));
        // Not of others: Landlock has no say in that.
        filter.allow(PRLIMIT64, Check.is(0, 0));
        filter.allow(SOCKETPAIR, Check.is(0, AF_UNIX));
        filter.allow(SOCKET, Check.is(0, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK));
        filter.end();
        return filter.code.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private void allowMemory() {
        // Memory that no limit of a process counts. MAP_PRIVATE is neither of the two.
        int kind = MAP_SHARED | MAP_ANONYMOUS;
        allow(MMAP, Check.without(3, GROWING_OR_HUGE), new Check(3, kind, new int[] {0, MAP_SHARED, MAP_ANONYMOUS}));
        allow(MADVISE, Check.is(2, ADVICE));
    }

    private void allowByArguments(int pid) {
        allowMemory();
        allow(IOCTL, Check.is(1, DEVICE_REQUESTS));
        allow(FCNTL, Check.is(1, FILE_COMMANDS));
        allow(SOCKETPAIR, Check.is(0, AF_UNIX), new Check(1, SOCKET_TYPE, new int[] {SOCK_STREAM}));
        allow(SETSOCKOPT, Check.is(1, SOL_SOCKET), Check.is(2, SOCKET_OPTIONS));
        allow(PRCTL, Check.is(0, PROCESS_OPTIONS));
        // Threads, but no processes.
        allow(CLONE, Check.without(0, NEW_NAMESPACES), new Check(0, CLONE_THREAD, new int[] {CLONE_THREAD}));
        allow(KILL, Check.is(0, pid));
        allow(TGKILL, Check.is(0, pid));
        allow(PRLIMIT64, Check.is(0, 0, pid));
    }

    /**
     * What an argument must be: under a mask, one of some values. The kernel takes the low half of
     * all that are checked here.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never written
    private record Check(int index, int mask, int[] values) {
        static Check is(int index, int... values) {
            return new Check(index, -1, values);
        }

        static Check without(int index, int bits) {
            return new Check(index, bits, new int[] {0});
        }

        /** Instructions that {@link CallFilter#require} writes for it. */
        int size() {
            return 3 + values.length;
        }
    }

    private static int[] joined(int[] first, int... others) {
        return IntStream.concat(Arrays.stream(first), Arrays.stream(others)).toArray();
    }

    private void begin() {
        add(LOAD_WORD, 0, 0, AT_ARCHITECTURE);
        add(JUMP_EQUAL, 1, 0, X86_64);
        add(RETURN, 0, 0, KILL_PROCESS);
        add(LOAD_WORD, 0, 0, AT_NUMBER);
        // The same calls by other numbers.
        add(JUMP_AT_LEAST, 0, 1, X32_CALLS);
        add(RETURN, 0, 0, FAIL | ENOSYS);
    }

    /** Lets the call pass if all checks hold; other calls go on behind. */
    private void allow(int call, Check... checks) {
        int size = Arrays.stream(checks).mapToInt(Check::size).sum() + 1;
        add(JUMP_EQUAL, 0, size, call);
        for (Check check : checks) {
            require(check);
        }
        add(RETURN, 0, 0, ALLOW);
    }

    private void require(Check check) {
        add(LOAD_WORD, 0, 0, AT_ARGUMENTS + 8 * check.index);
        add(AND, 0, 0, check.mask);
        for (int i = 0; i < check.values.length; i++) {
            add(JUMP_EQUAL, check.values.length - i, 0, check.values[i]);
        }
        add(RETURN, 0, 0, FAIL | EPERM);
    }

    private void end() {
        add(JUMP_AT_LEAST, 0, 1, FIRST_NEW_CALL);
        add(RETURN, 0, 0, FAIL | ENOSYS);
        add(RETURN, 0, 0, FAIL | EPERM);
    }

    private void add(int operation, int ifTrue, int ifFalse, int operand) {
        code.putShort((short) operation).put((byte) ifTrue).put((byte) ifFalse).putInt(operand);
    }
}
