/**
 * Requesters and responders over a wire: {@link io.hyperverbs.hca.roce.RcWire} cuts requests into packets, {@link
 * io.hyperverbs.hca.roce.RcRequests} puts them to the responder, {@link io.hyperverbs.hca.roce.RcResponses} answers, and
 * {@link io.hyperverbs.hca.roce.RcReplies} ends the requests. {@link io.hyperverbs.hca.roce.Wire} is all of it, {@link
 * io.hyperverbs.hca.roce.PacketPort} what it needs of the network. Engine thread only; nothing is allocated once a queue
 * pair is connected.
 */
@NullMarked
package io.hyperverbs.hca.roce;

import org.jspecify.annotations.NullMarked;
