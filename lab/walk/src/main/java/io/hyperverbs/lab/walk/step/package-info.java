/**
 * The steps of a walk as values, and their text: {@link io.hyperverbs.lab.walk.step.Step}
 * names objects by slots, so that any part of a sequence can be run again on new objects; {@link
 * io.hyperverbs.lab.walk.step.StepText} writes and reads one line for each. No state; any
 * thread.
 */
@NullMarked
package io.hyperverbs.lab.walk.step;

import org.jspecify.annotations.NullMarked;
