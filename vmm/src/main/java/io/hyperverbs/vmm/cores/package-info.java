/** Which processors engines, the VMM and guests run on, read from settings ({@link io.hyperverbs.vmm.cores.EngineCores}). */
@NullMarked
package io.hyperverbs.vmm.cores;

import org.jspecify.annotations.NullMarked;
