package io.hyperverbs.launcher.machine;

/** Takes back what would be done at the end of this process. Any thread. */
public final class ShutdownHooks {
    private ShutdownHooks() {}

    /** Removes a hook; nothing if the process is ending, and the hook runs or has run. */
    public static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is too late to take anything back.
        }
    }
}
