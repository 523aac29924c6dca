package io.hyperverbs.vmm.grant;

import io.hyperverbs.vmm.memory.Extent;

/**
 * A domain's right to map an extent of another.
 *
 * @param reference never 0, never used again
 */
public record Grant(long reference, Extent extent, int toDomain, boolean readOnly) {}
