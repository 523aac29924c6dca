/**
 * What guests do in {@code hv bench fairness}: {@link io.hyperverbs.lab.attacks.load.Victim
 * victims}, whose operations are timed one after the other, and {@link
 * io.hyperverbs.lab.attacks.load.Attacker attackers}, which ask as much of the HCA as they
 * can. Runs in guests, one thread.
 */
@NullMarked
package io.hyperverbs.lab.attacks.load;

import org.jspecify.annotations.NullMarked;
