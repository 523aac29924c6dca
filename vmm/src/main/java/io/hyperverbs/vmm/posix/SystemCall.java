package io.hyperverbs.vmm.posix;

/**
 * Any system call by its number, as a program makes it that keeps to nobody's library: to find out
 * what a sandbox lets pass.
 */
public final class SystemCall {
    private static final int ARGUMENTS = 6;

    private static final CFunction SYSCALL = CFunction.of("syscall");

    private SystemCall() {}

    /**
     * Makes the call.
     *
     * @param arguments numbers, or addresses of memory of this process; at most six
     * @return what it returns, or the error number, negated
     */
    public static long make(long number, long... arguments) {
        long[] all = new long[ARGUMENTS];
        System.arraycopy(arguments, 0, all, 0, arguments.length);

        long result = SYSCALL.callLong(number, all[0], all[1], all[2], all[3], all[4], all[5]);
        return result == -1 ? -CLibrary.errno() : result;
    }
}
