/** Each sandbox that works on this computer. */
@NullMarked
package io.hyperverbs.vmm.sandbox;

import org.jspecify.annotations.NullMarked;
