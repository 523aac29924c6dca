package io.hyperverbs.vmm.memory;

/**
 * A domain's right to map an extent of another.
 *
 * @param reference never 0, never used again
 */
public record Grant(long reference, Extent extent, int toDomain, boolean readOnly) {}
