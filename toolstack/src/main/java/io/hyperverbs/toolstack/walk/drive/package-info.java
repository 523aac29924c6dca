/**
 * Leads a walk: {@link io.hyperverbs.toolstack.walk.drive.Conductor} takes steps from a source, has
 * the model say what must come of them, sends bursts of them to the agents in the domains, and has
 * {@link io.hyperverbs.toolstack.walk.drive.Judge} compare. {@link
 * io.hyperverbs.toolstack.walk.drive.Shrinker} makes a sequence that diverges short. One thread.
 */
@NullMarked
package io.hyperverbs.toolstack.walk.drive;

import org.jspecify.annotations.NullMarked;
