/**
 * The unreliable datagram transport: {@link io.hyperverbs.hca.ud.UdRequester} sends to what {@link
 * io.hyperverbs.hca.ud.AhTable} knows, to one queue pair or to the members of a group in {@link
 * io.hyperverbs.hca.ud.MulticastTable}; {@link io.hyperverbs.hca.ud.UdResponder} takes or drops.
 * Engine thread only; allocates in commands alone.
 */
@NullMarked
package io.hyperverbs.hca.ud;

import org.jspecify.annotations.NullMarked;
