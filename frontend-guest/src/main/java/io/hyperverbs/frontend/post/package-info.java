/**
 * Posting: {@link io.hyperverbs.frontend.post.SendPosting} and {@link
 * io.hyperverbs.frontend.post.ReceivePosting} build entries straight in the ring and allocate
 * nothing; {@link io.hyperverbs.frontend.post.RecordPosting} is the readable tier on top. Their checks
 * are a courtesy to the caller, but that no slot is overrun. Posting is for one thread at a time
 * per queue.
 */
@NullMarked
package io.hyperverbs.frontend.post;

import org.jspecify.annotations.NullMarked;
