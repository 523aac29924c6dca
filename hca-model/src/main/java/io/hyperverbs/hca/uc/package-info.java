/**
 * The unreliable connection transport: {@link io.hyperverbs.hca.uc.UcRequester} sends, {@link
 * io.hyperverbs.hca.uc.UcResponder} takes or drops. Nothing is acknowledged, nothing sent again: a
 * request ends when its last byte has left. Engine thread only; no allocation.
 */
@NullMarked
package io.hyperverbs.hca.uc;

import org.jspecify.annotations.NullMarked;
