package io.hyperverbs.vmm.posix;

/**
 * Ends this process as {@link System#exit} does, but for the 300 ms that a JVM waits at its end for threads in native
 * code: one that reads standard input, or waits for a child process that lives on.
 */
public final class QuickExit {
    private static final CFunction EXIT = CFunction.of("_exit");

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

        int _ = EXIT.call(code);
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
