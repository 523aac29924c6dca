package io.hyperverbs.verbs;

/**
 * Limits of an opened device for this domain ({@code ibv_device_attr}): the smaller of what the HCA
 * can and what the domain's quota allows.
 */
public record DeviceAttributes(
        String firmwareVersion,
        long nodeGuid,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxInlineBytes,
        int maxCq,
        int maxCqe,
        int maxMr,
        long maxRegionBytes,
        int maxPd,
        int maxReadAtomic,
        long maxMessageBytes,
        int pageBytes,
        int portCount,
        DeviceIdentity identity,
        ObjectLimits objects,
        DeviceCapabilities capabilities) {}
