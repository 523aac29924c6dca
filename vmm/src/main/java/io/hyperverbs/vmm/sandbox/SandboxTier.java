package io.hyperverbs.vmm.sandbox;

import java.util.Arrays;
import java.util.Optional;

/** How well guests are kept apart. */
public enum SandboxTier {
    /** Nothing: processes of one user, who can read each other. */
    NONE("0"),
    /**
     * No namespaces: named files alone, and no system call that reaches others; one uid for all.
     */
    FILES("1b"),
    /** Namespaces made by an ordinary user, no capabilities, one uid for all. */
    USER("1"),
    /** The same made by root, and a uid of its own for each domain. */
    ROOT("2");

    private final String label;

    SandboxTier(String label) {
        this.label = label;
    }

    /** The tier with that label, if there is one. */
    public static Optional<SandboxTier> of(String label) {
        return Arrays.stream(values()).filter(tier -> tier.label.equals(label)).findFirst();
    }

    /** Whether a guest has file systems and process numbers of its own. */
    public boolean hasNamespaces() {
        return this == USER || this == ROOT;
    }

    /** The tier as it is printed: 2, 1, 1b or 0. */
    public String label() {
        return label;
    }
}
