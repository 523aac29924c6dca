package io.hyperverbs.vmm.sandbox;

/** How well guests are kept apart. */
public enum SandboxTier {
    /** Nothing: processes of one user, who can read each other. */
    NONE("0"),
    /** Namespaces made by an ordinary user, no capabilities, one uid for all. */
    USER("1"),
    /** The same made by root, and a uid of its own for each domain. */
    ROOT("2");

    private final String label;

    SandboxTier(String label) {
        this.label = label;
    }

    /** The tier as it is printed: 2, 1 or 0. */
    public String label() {
        return label;
    }
}
