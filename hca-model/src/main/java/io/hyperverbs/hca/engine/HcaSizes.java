package io.hyperverbs.hca.engine;

/** How much an HCA can hold. */
public record HcaSizes(
        int maxQp,
        int maxCq,
        int maxRegions,
        int maxPd,
        int maxUar,
        int maxAh,
        int maxMulticast,
        long maxMessageBytes,
        int maxReadAtomic) {
    /** Shared receive queues: as many as queue pairs. */
    public int maxSrq() {
        return maxQp;
    }

    /** Memory windows: as many as regions. */
    public int maxWindows() {
        return maxRegions;
    }
}
