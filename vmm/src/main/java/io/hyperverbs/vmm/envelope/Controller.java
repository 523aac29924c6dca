package io.hyperverbs.vmm.envelope;

import java.util.Locale;

/** What the kernel can share out between groups of processes, as far as guests are concerned. */
public enum Controller {
    MEMORY,
    CPU,
    CPUSET,
    PIDS;

    /** The kernel's name of it, in files of either version. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
