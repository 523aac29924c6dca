/** What the attacker does, by the group of the threat: each case ends with what was seen. */
@NullMarked
package io.hyperverbs.lab.attacks.cases;

import org.jspecify.annotations.NullMarked;
