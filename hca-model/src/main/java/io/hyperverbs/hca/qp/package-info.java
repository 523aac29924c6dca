/**
 * Queue pairs as the engine keeps them: {@link io.hyperverbs.hca.qp.Qp} with its {@link
 * io.hyperverbs.hca.qp.SendQueue} and {@link io.hyperverbs.hca.qp.ReceiveQueue}, the table of legal
 * moves {@link io.hyperverbs.hca.qp.QpMoves}, and the check of attributes. Shared with the guest:
 * the ring memory, of which the HCA writes nothing. Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.qp;

import org.jspecify.annotations.NullMarked;
