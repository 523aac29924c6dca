/** The VMM as a process, with small stand-ins for the drivers in its domains. */
@NullMarked
package io.hyperverbs.vmm.process;

import org.jspecify.annotations.NullMarked;
