package io.hyperverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Holds the domain of each program. A guest process has one; the device domain hosts several native
 * programs, each in a thread of its own, so the binding is inherited by the threads a program
 * starts.
 */
public final class DomainProvider {
    private static final InheritableThreadLocal<@Nullable Domain> CURRENT = new InheritableThreadLocal<>();

    private DomainProvider() {}

    /** Binds {@code domain} to the calling thread and the threads it starts from now on. */
    public static void bind(Domain domain) {
        CURRENT.set(domain);
    }

    /** Unbinds the calling thread. */
    public static void unbind() {
        CURRENT.remove();
    }

    /** The domain of the calling thread. */
    public static Domain current() {
        Domain domain = CURRENT.get();
        if (domain == null) {
            throw new IllegalStateException("not inside a domain; start the program with: hv run <program>");
        }
        return domain;
    }
}
