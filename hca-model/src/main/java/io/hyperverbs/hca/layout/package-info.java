/**
 * Bytes that the HCA shares with drivers: UAR pages, work and completion rings, status page,
 * context memory. One class per layout; each says who writes and who reads. {@link
 * io.hyperverbs.hca.layout.SendRing}, {@link io.hyperverbs.hca.layout.ReceiveRing} and {@link
 * io.hyperverbs.hca.layout.CompletionRing} are the driver's ends of the rings. Layout classes are
 * stateless and callable from any thread; a ring end is for one thread at a time.
 */
@NullMarked
package io.hyperverbs.hca.layout;

import org.jspecify.annotations.NullMarked;
