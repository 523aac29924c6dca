package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * Ends this process as {@link System#exit} does, but for the 300 ms that a JVM waits at its end for threads in native
 * code: one that reads standard input, or waits for a child process that lives on.
 */
public final class QuickExit {
    private static final MethodHandle EXIT = CLibrary.link("_exit", FunctionDescriptor.ofVoid(JAVA_INT));

    private QuickExit() {}

    /**
     * Ends the process without its shutdown hooks. If it is being ended already, by a signal, that end is left to run:
     * this does not return then.
     */
    public static void withoutHooks(int code) {
        System.out.flush();
        System.err.flush();
        if (isEnding()) {
            System.exit(code);
        }
        try {
            EXIT.invokeExact(CLibrary.capture(), code);
        } catch (Throwable t) {
            throw CLibrary.bug(t);
        }
    }

    private static boolean isEnding() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            boolean _ = Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
