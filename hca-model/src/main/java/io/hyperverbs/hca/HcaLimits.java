package io.hyperverbs.hca;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.link.Links;
import java.util.Map;

/**
 * What the HCA can hold.
 *
 * @param maxQp queue pairs
 * @param maxCq completion queues
 * @param maxRegions memory regions
 * @param maxPd protection domains
 * @param maxUar contexts
 * @param maxCqe entries of one completion queue
 * @param maxAh address handles
 * @param maxMulticast multicast groups
 * @param lid its port's address
 * @param mtuBytes its port's MTU
 */
public record HcaLimits(
        int maxQp,
        int maxCq,
        int maxRegions,
        int maxPd,
        int maxUar,
        int maxCqe,
        int maxAh,
        int maxMulticast,
        int lid,
        int mtuBytes) {
    /** Bytes of the largest message, as every port of InfiniBand allows. */
    public static final long MAX_MESSAGE_BYTES = 1L << 31;

    /** Reads and atomics that one queue pair may have under way, either way. */
    public static final int MAX_READ_ATOMIC = 16;

    /** Shared receive queues: as many as queue pairs. */
    public int maxSrq() {
        return maxQp;
    }

    /** Memory windows: as many as regions. */
    public int maxWindows() {
        return maxRegions;
    }

    /** Entries of each table of the context memory, by {@link Table#number}. */
    int[] tableCounts() {
        return ContextMemoryLayout.counts(Map.ofEntries(
                Map.entry(Table.QP, maxQp()),
                Map.entry(Table.CQ, maxCq()),
                Map.entry(Table.REGION, maxRegions()),
                Map.entry(Table.PD, maxPd()),
                Map.entry(Table.UAR, maxUar()),
                Map.entry(Table.SRQ, maxSrq()),
                Map.entry(Table.AH, maxAh()),
                Map.entry(Table.MCG, maxMulticast()),
                Map.entry(Table.MW, maxWindows()),
                Map.entry(Table.XRCD, maxPd()),
                Map.entry(Table.LINK, Links.MOST)));
    }

    /** The HCA of a topology that says nothing else. */
    public static HcaLimits standard() {
        return new HcaLimits(4096, 4096, 16384, 4096, 1024, 1 << 16, 16384, 8192, 1, 2048);
    }
}
