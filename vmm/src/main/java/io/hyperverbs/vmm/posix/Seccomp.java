package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Installs system call filters ({@code seccomp(2)}). A filter holds for all threads of the process
 * and all it starts, for good.
 */
public final class Seccomp {
    /** Whether {@link #install} can work here: the numbers of system calls are the processor's. */
    public static final boolean AVAILABLE = System.getProperty("os.arch").equals("amd64");

    private static final long SYS_SECCOMP = 317;
    private static final long SET_MODE_FILTER = 1;
    private static final long FLAG_ALL_THREADS = 1;

    /** {@code struct sock_fprog}: a count of instructions, then their address. */
    private static final long PROGRAM_BYTES = 16;

    private static final long PROGRAM_ADDRESS = 8;

    private static final CFunction SYSCALL = CFunction.of("syscall");

    private Seccomp() {}

    /**
     * Filters the system calls of all threads from now on.
     *
     * @param instructions of classic BPF, eight bytes each in the computer's byte order
     * @throws PosixException EACCES unless privileges were given up for good before
     */
    public static void install(ByteBuffer instructions) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocate(instructions.remaining(), Long.BYTES);
            code.copyFrom(MemorySegment.ofBuffer(instructions));
            MemorySegment program = arena.allocate(PROGRAM_BYTES, Long.BYTES);
            program.set(JAVA_SHORT, 0, (short) (code.byteSize() / Long.BYTES));
            program.set(ADDRESS, PROGRAM_ADDRESS, code);
            int result = SYSCALL.call(SYS_SECCOMP, SET_MODE_FILTER, FLAG_ALL_THREADS, program.address());
            CLibrary.check(result, "seccomp");
            if (result != 0) {
                // The number of a thread with a filter of its own: nothing was installed.
                throw new PosixException("seccomp of thread " + result, Errno.EBUSY);
            }
        }
    }
}
