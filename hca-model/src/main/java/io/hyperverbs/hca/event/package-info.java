/**
 * How events leave the engine: {@link io.hyperverbs.hca.event.EventRaiser} puts them into {@link
 * io.hyperverbs.hca.event.EventQueue}, which one thread of the driver reads. Coalesced by source and kind, so a slow reader costs nothing.
 */
@NullMarked
package io.hyperverbs.hca.event;

import org.jspecify.annotations.NullMarked;
