/** Rings that bring captures to the VMM. */
@NullMarked
package io.hyperverbs.vmm.capture;

import org.jspecify.annotations.NullMarked;
