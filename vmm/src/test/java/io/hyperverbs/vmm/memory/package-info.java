/** Frames and their owners. */
@NullMarked
package io.hyperverbs.vmm.memory;

import org.jspecify.annotations.NullMarked;
