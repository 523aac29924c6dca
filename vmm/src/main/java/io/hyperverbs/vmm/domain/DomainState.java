package io.hyperverbs.vmm.domain;

/** Where a domain is in its life; which moves there are, {@link DomainMoves} says. */
public enum DomainState {
    STARTING,
    /** Its driver is ready. */
    RUNNING,
    /** Its process has ended or is about to; its frames are not free yet. */
    DYING,
    /** Ended by itself with exit code 0, or by request. */
    SHUT_DOWN,
    /** Killed, failed with an exit code, or never became ready. */
    CRASHED;

    /** Whether nothing of the domain is left but its record. */
    public boolean ended() {
        return this == SHUT_DOWN || this == CRASHED;
    }
}
