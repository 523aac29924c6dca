package io.hyperverbs.verbs;

/**
 * How many objects of the rarer kinds the domain may have; 0: the HCA has none of them.
 *
 * @param maxSrqWr receives in one shared receive queue
 * @param maxSrqSge SGEs of one of them
 * @param maxMulticastGroups {@code max_mcast_grp}
 * @param maxMulticastQpAttach queue pairs in one multicast group
 */
public record ObjectLimits(
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxMw,
        int maxAh,
        int maxMulticastGroups,
        int maxMulticastQpAttach) {

    /** An HCA without any of them. */
    public static ObjectLimits none() {
        return new ObjectLimits(0, 0, 0, 0, 0, 0, 0);
    }

    /** Attachments of all multicast groups together ({@code max_total_mcast_qp_attach}). */
    public int maxTotalMulticastQpAttach() {
        return (int) Math.min(Integer.MAX_VALUE, (long) maxMulticastGroups * maxMulticastQpAttach);
    }
}
