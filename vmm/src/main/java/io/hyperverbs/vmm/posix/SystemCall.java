package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Any system call by its number, as a program makes it that keeps to nobody's library: to find out
 * what a sandbox lets pass.
 */
public final class SystemCall {
    private static final int ARGUMENTS = 6;

    private static final MethodHandle SYSCALL = CLibrary.link(
            "syscall",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

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
        try {
            long result = (long)
                    SYSCALL.invokeExact(CLibrary.capture(), number, all[0], all[1], all[2], all[3], all[4], all[5]);
            return result == -1 ? -CLibrary.errno() : result;
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }
}
