/** Which processors the engine, the VMM and guests run on, read from settings ({@link io.hyperverbs.vmm.cores.CorePlacement}). */
@NullMarked
package io.hyperverbs.vmm.cores;

import org.jspecify.annotations.NullMarked;
