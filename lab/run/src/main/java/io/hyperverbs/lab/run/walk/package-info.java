/**
 * Leads a walk: {@link io.hyperverbs.lab.run.walk.Conductor} takes steps from a source, has
 * the model say what must come of them, sends bursts of them to the agents in the domains, and has
 * {@link io.hyperverbs.lab.run.walk.Judge} compare. {@link
 * io.hyperverbs.lab.run.walk.Shrinker} makes a sequence that diverges short. One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.walk;

import org.jspecify.annotations.NullMarked;
