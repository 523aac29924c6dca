/**
 * How events leave the engine: {@link io.hyperverbs.hca.event.EventRaiser} puts them into the pages of
 * domains that want them there ({@link io.hyperverbs.hca.event.EventPages}), else into {@link
 * io.hyperverbs.hca.event.EventQueue}, which one thread of the driver reads. Coalesced by source and kind, so a slow reader costs nothing.
 */
@NullMarked
package io.hyperverbs.hca.event;

import org.jspecify.annotations.NullMarked;
