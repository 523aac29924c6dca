/**
 * The simulated machine: memory, grants, event channels and domain processes. {@link
 * io.hyperverbs.vmm.VmmMain} is its process.
 */
@NullMarked
package io.hyperverbs.vmm;

import org.jspecify.annotations.NullMarked;
