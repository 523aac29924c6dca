package io.hyperverbs.vmm.domain;

/**
 * What there is to say of a domain.
 *
 * @param pid of its JVM; 0 if it has none
 * @param exitCode 128 + signal when killed by one; 0 while it lives
 * @param message why it failed, one line; else empty
 * @param sandboxTier as {@code SandboxTier.label()}; empty without a process
 * @param folder that only this domain sees; its {@code out} is the domain's to write
 * @param network file of the network namespace of a domain with an address; else empty
 * @param hca name of the HCA that it owns or uses
 * @param start when its start had come how far
 */
public record DomainReport(
        String name,
        int id,
        DomainKind kind,
        DomainState state,
        long pid,
        long memoryBytes,
        long startedEpochMillis,
        int exitCode,
        String message,
        String logFile,
        String sandboxTier,
        String folder,
        String network,
        String hca,
        StartTimes start) {
    /** Begins the message of a guest that used more of the computer than it may. */
    public static final String ENDED_BY_VMM = "ended by the VMM: ";

    /** Begins the message of one that a limit of the kernel has ended. */
    public static final String ENDED_BY_KERNEL = "ended by the kernel: ";
}
