/** Which processors the parties run on. */
@NullMarked
package io.hyperverbs.vmm.cores;

import org.jspecify.annotations.NullMarked;
