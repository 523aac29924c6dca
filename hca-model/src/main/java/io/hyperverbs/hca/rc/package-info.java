/**
 * The reliable connection transport: {@link io.hyperverbs.hca.rc.Requester} takes work requests and
 * turns them into a {@link io.hyperverbs.hca.transport.Message}, {@link
 * io.hyperverbs.hca.rc.Responder} judges the message at the peer and answers. Between two queue
 * pairs of one HCA the payload is copied once. Engine thread only; no allocation, no exception for
 * a guest's mistake.
 */
@NullMarked
package io.hyperverbs.hca.rc;

import org.jspecify.annotations.NullMarked;
