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
    private static final int RETURN = 0x06;

    private static final int AT_NUMBER = 0;
    private static final int AT_ARCHITECTURE = 4;
    private static final int AT_FIRST_ARGUMENT = 16;
    private static final int AT_SECOND_ARGUMENT = 24;

    private static final int ALLOW = 0x7fff_0000;
    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int FAIL = 0x0005_0000;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    private static final int X86_64 = 0xc000_003e;
    private static final int X32_CALLS = 0x4000_0000;

    private static final int CLONE = 56;
    private static final int CLONE3 = 435;
    private static final int IOCTL = 16;

    /** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET. */
    private static final int NEW_NAMESPACES = 0x7e02_0000;

    /** Types into a terminal that another program reads. */
    private static final int TIOCSTI = 0x5412;

    private static final int TIOCLINUX = 0x541c;

    private static final int MAX_BYTES = 4096;

    private final ByteBuffer code = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());

    private CallFilter() {}

    /** The instructions, for {@link io.hyperverbs.vmm.posix.Seccomp#install}. */
    static ByteBuffer forGuests() {
        CallFilter filter = new CallFilter();
        filter.write();
        return filter.code.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    private void write() {
        add(LOAD_WORD, 0, 0, AT_ARCHITECTURE);
        add(JUMP_EQUAL, 1, 0, X86_64);
        add(RETURN, 0, 0, KILL_PROCESS);
        add(LOAD_WORD, 0, 0, AT_NUMBER);
        // The same calls by other numbers.
        add(JUMP_AT_LEAST, 0, 1, X32_CALLS);
        fail(ENOSYS);
        for (int call : DeniedCalls.all()) {
            add(JUMP_EQUAL, 0, 1, call);
            fail(EPERM);
        }
        // Its flags are in memory, which no filter sees; C libraries go back to clone.
        add(JUMP_EQUAL, 0, 1, CLONE3);
        fail(ENOSYS);
        add(JUMP_EQUAL, 0, 3, CLONE);
        add(LOAD_WORD, 0, 0, AT_FIRST_ARGUMENT);
        add(JUMP_ANY_BIT, 0, 5, NEW_NAMESPACES);
        fail(EPERM);
        add(JUMP_EQUAL, 0, 3, IOCTL);
        add(LOAD_WORD, 0, 0, AT_SECOND_ARGUMENT);
        add(JUMP_EQUAL, 2, 0, TIOCSTI);
        add(JUMP_EQUAL, 1, 0, TIOCLINUX);
        add(RETURN, 0, 0, ALLOW);
        fail(EPERM);
    }

    private void fail(int errno) {
        add(RETURN, 0, 0, FAIL | errno);
    }

    private void add(int operation, int ifTrue, int ifFalse, int operand) {
        code.putShort((short) operation).put((byte) ifTrue).put((byte) ifFalse).putInt(operand);
    }
}
