package io.hyperverbs.vmm.sandbox;

import java.util.List;

/** A way to start a confined JVM that dies with the thread that started it. */
public interface Sandbox {
    SandboxTier tier();

    /** Which programs make it, such as {@code bwrap + setpriv}. */
    String description();

    /** The command line; all programs by absolute path, no environment needed. */
    List<String> command(ConfinedJvm jvm);
}
