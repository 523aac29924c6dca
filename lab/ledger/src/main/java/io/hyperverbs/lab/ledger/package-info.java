/**
 * What each build has to prove at full size: {@link io.hyperverbs.lab.ledger.Ledger} knows which sources have changed
 * since a {@link io.hyperverbs.lab.ledger.Proof} of them, or a test class ({@link
 * io.hyperverbs.lab.ledger.RunsWhenChanged}), held. For tests of all modules; in no product.
 */
@NullMarked
package io.hyperverbs.lab.ledger;

import org.jspecify.annotations.NullMarked;
