/**
 * {@code hv bench fairness}: what a victim gets of its fair share beside attackers, each in a guest
 * of its own. {@link io.hyperverbs.toolstack.fairness.FairnessRun} measures, {@link
 * io.hyperverbs.toolstack.fairness.Matrix} judges, {@code load} runs in the guests.
 */
@NullMarked
package io.hyperverbs.toolstack.fairness;

import org.jspecify.annotations.NullMarked;
