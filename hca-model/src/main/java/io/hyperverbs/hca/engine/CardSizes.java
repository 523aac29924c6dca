package io.hyperverbs.hca.engine;

/** How much a card can hold, and its port. */
public record CardSizes(
        int maxQp,
        int maxCq,
        int maxRegions,
        int maxPd,
        int maxUar,
        int lid,
        int mtuBytes,
        long maxMessageBytes,
        int maxReadAtomic) {}
