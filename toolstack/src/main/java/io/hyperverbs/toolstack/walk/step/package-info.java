/**
 * The steps of a walk as values, and their text: {@link io.hyperverbs.toolstack.walk.step.Step}
 * names objects by slots, so that any part of a sequence can be run again on new objects; {@link
 * io.hyperverbs.toolstack.walk.step.StepText} writes and reads one line for each. No state; any
 * thread.
 */
@NullMarked
package io.hyperverbs.toolstack.walk.step;

import org.jspecify.annotations.NullMarked;
