/**
 * The HCA as the backend runs it: {@link io.hyperverbs.backend.engine.Card} is the card with its
 * engine thread, {@link io.hyperverbs.backend.engine.DoorbellWatch} where that thread sleeps.
 */
@NullMarked
package io.hyperverbs.backend.engine;

import org.jspecify.annotations.NullMarked;
