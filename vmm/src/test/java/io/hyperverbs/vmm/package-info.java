/** The VMM process's own folder. */
@NullMarked
package io.hyperverbs.vmm;

import org.jspecify.annotations.NullMarked;
