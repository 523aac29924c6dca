/**
 * Shared receive queues as the engine keeps them: {@link io.hyperverbs.hca.srq.Srq} with its limit
 * and its users, {@link io.hyperverbs.hca.srq.SrqTable} by number. Shared with the guest: the ring
 * memory ({@code hca.layout.SrqRingLayout}), of which the HCA writes the head index alone. Engine
 * thread only.
 */
@NullMarked
package io.hyperverbs.hca.srq;

import org.jspecify.annotations.NullMarked;
