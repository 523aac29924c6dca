/**
 * Attacks on the isolation of guests: named cases, each a hostile guest process against victims
 * with traffic. {@link io.hyperverbs.lab.attacks.catalogue.Isolation} lists them; {@code raw} is the
 * device below the verbs library, {@code cases} what is done to it, {@code lab.run.isolate} the judge outside.
 */
@NullMarked
package io.hyperverbs.lab.attacks;

import org.jspecify.annotations.NullMarked;
