/**
 * What each build has to prove at full size: {@link io.hyperverbs.tests.ledger.Ledger} knows which sources
 * have changed since a {@link io.hyperverbs.tests.ledger.Proof} of them held.
 */
@NullMarked
package io.hyperverbs.tests.ledger;

import org.jspecify.annotations.NullMarked;
