/**
 * The HCA's event queue: the engine thread writes {@link io.hyperverbs.hca.event.EventQueue}, one
 * thread of the driver reads it. Coalesced by source and kind, so a slow reader costs nothing.
 */
@NullMarked
package io.hyperverbs.hca.event;

import org.jspecify.annotations.NullMarked;
