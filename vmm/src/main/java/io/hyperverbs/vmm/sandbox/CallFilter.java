package io.hyperverbs.vmm.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes the system call filter of a guest as classic BPF over {@code struct seccomp_data}: number
 * (4 bytes), architecture (4), instruction pointer (8), six arguments (8 each). Refused calls fail
 * with an error and nothing dies, so that a program sees what it may not do.
 */
final class CallFilter {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_AT_LEAST = 0x35;
    private static final int JUMP_ANY_BIT = 0x45;
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

    private static final int OPEN = 2;
    private static final int MMAP = 9;
    private static final int IOCTL = 16;
    private static final int SOCKET = 41;
    private static final int CONNECT = 42;
    private static final int BIND = 49;
    private static final int CLONE = 56;
    private static final int KILL = 62;
    private static final int RT_SIGQUEUEINFO = 129;
    private static final int SCHED_SETAFFINITY = 203;
    private static final int TGKILL = 234;
    private static final int OPENAT = 257;
    private static final int RT_TGSIGQUEUEINFO = 297;
    private static final int PRLIMIT64 = 302;
    private static final int CLONE3 = 435;
    private static final int OPENAT2 = 437;

    /** A file without a name, which nobody sees who counts files. */
    private static final int O_TMPFILE = 0x40_0000;

    /** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET. */
    private static final int NEW_NAMESPACES = 0x7e02_0000;

    private static final int CLONE_THREAD = 0x1_0000;

    /** MAP_SHARED and MAP_ANONYMOUS. */
    private static final int SHARED_AND_ANONYMOUS = 0x21;

    /** Types into a terminal that another program reads. */
    private static final int TIOCSTI = 0x5412;

    private static final int TIOCLINUX = 0x541c;

    private static final int MAX_BYTES = 4096;

    private final ByteBuffer code = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());

    private CallFilter() {}

    /**
     * What no guest needs, for {@link io.hyperverbs.vmm.posix.Seccomp#install}.
     *
     * @param pid the guest's own process number: signals and limits are for that alone
     */
    static ByteBuffer forGuests(int pid) {
        CallFilter filter = new CallFilter();
        filter.begin();
        filter.refuse(DeniedCalls.all());
        filter.limitToGuest(pid);
        return filter.end();
    }

    /** No socket is made, connected or bound any more; those that are open stay. */
    static ByteBuffer forNewSockets() {
        CallFilter filter = new CallFilter();
        filter.begin();
        filter.refuse(SOCKET, CONNECT, BIND);
        return filter.end();
    }

    private void begin() {
        add(LOAD_WORD, 0, 0, AT_ARCHITECTURE);
        add(JUMP_EQUAL, 1, 0, X86_64);
        add(RETURN, 0, 0, KILL_PROCESS);
        add(LOAD_WORD, 0, 0, AT_NUMBER);
        // The same calls by other numbers.
        add(JUMP_AT_LEAST, 0, 1, X32_CALLS);
        fail(ENOSYS);
    }

    private ByteBuffer end() {
        add(RETURN, 0, 0, ALLOW);
        return code.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private void refuse(int... calls) {
        for (int call : calls) {
            add(JUMP_EQUAL, 0, 1, call);
            fail(EPERM);
        }
    }

    private void limitToGuest(int pid) {
        // Its flags are in memory, which no filter sees; C libraries go back to clone.
        add(JUMP_EQUAL, 0, 1, CLONE3);
        fail(ENOSYS);
        add(JUMP_EQUAL, 0, 1, OPENAT2);
        fail(ENOSYS);
        refuseBit(OPEN, 1, O_TMPFILE);
        refuseBit(OPENAT, 2, O_TMPFILE);
        allowFirst(KILL, pid);
        allowFirst(TGKILL, pid);
        allowFirst(RT_SIGQUEUEINFO, pid);
        allowFirst(RT_TGSIGQUEUEINFO, pid);
        allowFirst(PRLIMIT64, 0, pid);
        allowFirst(SCHED_SETAFFINITY, 0);
        // Threads, but no processes.
        argument(CLONE, 0, 4);
        add(JUMP_ANY_BIT, 1, 0, NEW_NAMESPACES);
        add(JUMP_ANY_BIT, 1, 0, CLONE_THREAD);
        failOrAllow();
        // Memory that no limit of a process counts.
        argument(MMAP, 3, 4);
        add(AND, 0, 0, SHARED_AND_ANONYMOUS);
        add(JUMP_EQUAL, 0, 1, SHARED_AND_ANONYMOUS);
        failOrAllow();
        argument(IOCTL, 1, 4);
        add(JUMP_EQUAL, 1, 0, TIOCSTI);
        add(JUMP_EQUAL, 0, 1, TIOCLINUX);
        failOrAllow();
    }

    /** Lets the call pass if its first argument is one of {@code values}. */
    private void allowFirst(int call, int... values) {
        argument(call, 0, values.length + 2);
        for (int i = 0; i < values.length; i++) {
            add(JUMP_EQUAL, values.length - i, 0, values[i]);
        }
        failOrAllow();
    }

    private void refuseBit(int call, int index, int bit) {
        argument(call, index, 3);
        add(JUMP_ANY_BIT, 0, 1, bit);
        failOrAllow();
    }

    /** For this call loads an argument; for others skips that and {@code more} instructions. */
    private void argument(int call, int index, int more) {
        add(JUMP_EQUAL, 0, more + 1, call);
        add(LOAD_WORD, 0, 0, AT_ARGUMENTS + 8 * index);
    }

    private void failOrAllow() {
        fail(EPERM);
        add(RETURN, 0, 0, ALLOW);
    }

    private void fail(int errno) {
        add(RETURN, 0, 0, FAIL | errno);
    }

    private void add(int operation, int ifTrue, int ifFalse, int operand) {
        code.putShort((short) operation).put((byte) ifTrue).put((byte) ifFalse).putInt(operand);
    }
}
