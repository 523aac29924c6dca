/**
 * What a walk does next: {@link io.hyperverbs.lab.walk.choose.StepChooser} draws steps from a
 * seed, most of them such that something comes of it, some of them wrong. It looks at the model, so
 * that queue pairs get connected at all. All on the thread of the walk.
 */
@NullMarked
package io.hyperverbs.lab.walk.choose;

import org.jspecify.annotations.NullMarked;
