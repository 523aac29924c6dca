package io.hyperverbs.vmm.domain;

/**
 * How far the schedule of faults of a machine is.
 *
 * @param planned all that its topology has for it
 * @param done those whose time has come, also if they failed
 * @param failed those that could not be carried out, or not at both ends of a link
 */
public record FaultCounts(int planned, int done, int failed) {
    /** Of a machine without a schedule. */
    public static FaultCounts none() {
        return new FaultCounts(0, 0, 0);
    }
}
