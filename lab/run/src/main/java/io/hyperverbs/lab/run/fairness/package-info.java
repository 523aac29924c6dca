/**
 * {@code hv bench fairness}: what a victim gets of its fair share beside attackers, each in a guest
 * of its own. {@link io.hyperverbs.lab.run.fairness.FairnessRun} measures, {@link
 * io.hyperverbs.lab.run.fairness.Matrix} judges, {@code lab.attacks.load} runs in the guests.
 */
@NullMarked
package io.hyperverbs.lab.run.fairness;

import org.jspecify.annotations.NullMarked;
