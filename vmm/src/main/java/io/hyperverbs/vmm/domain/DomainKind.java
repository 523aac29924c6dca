package io.hyperverbs.vmm.domain;

/** What a domain is. */
public enum DomainKind {
    /** Owns an HCA; trusted, one for each. */
    BACKEND,
    /** A sandboxed process with a frontend driver. */
    GUEST,
    /** A program inside the backend domain, with memory of its own: the system without a VMM. */
    NATIVE
}
