/**
 * What a domain may cost the device domain with its channel, however often it connects: {@link
 * io.hyperverbs.backend.budget.ChannelBudget} counts what carries nothing, {@link
 * io.hyperverbs.backend.budget.LoopShare} the processor time of its event loop. Time is passed in.
 */
@NullMarked
package io.hyperverbs.backend.budget;

import org.jspecify.annotations.NullMarked;
