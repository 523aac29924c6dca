/**
 * What guests do in {@code hv bench fairness}: {@link io.hyperverbs.toolstack.fairness.load.Victim
 * victims}, whose operations are timed one after the other, and {@link
 * io.hyperverbs.toolstack.fairness.load.Attacker attackers}, which ask as much of the card as they
 * can. Runs in guests, one thread.
 */
@NullMarked
package io.hyperverbs.toolstack.fairness.load;

import org.jspecify.annotations.NullMarked;
