/**
 * Completion queues as the engine keeps them: writing CQEs, overrun, arming. Shared with the guest:
 * the ring memory ({@code hca.layout.CqHeaderLayout}, {@code CqeLayout}). Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.cq;

import org.jspecify.annotations.NullMarked;
