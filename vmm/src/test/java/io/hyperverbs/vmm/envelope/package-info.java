/** Control groups, on trees in a temporary folder and on the computer's own. */
@NullMarked
package io.hyperverbs.vmm.envelope;

import org.jspecify.annotations.NullMarked;
