package io.hyperverbs.vmm.sandbox;

import java.util.List;

/** A way to start a confined JVM that dies with the thread that started it. */
public interface Sandbox {
    SandboxTier tier();

    /** Which programs make it, such as {@code bwrap + setpriv}. */
    String description();

    /** The one word for that, as {@link SandboxChoice} has it: bwrap, unshare, landlock or none. */
    String maker();

    /** Whether the kernel counts threads for each guest; it never counts those of root's user. */
    default boolean limitsThreads() {
        return tier() == SandboxTier.ROOT || (tier() == SandboxTier.USER && !SandboxProbe.isRoot());
    }

    /** The command line; all programs by absolute path, no environment needed. */
    List<String> command(ConfinedJvm jvm);
}
