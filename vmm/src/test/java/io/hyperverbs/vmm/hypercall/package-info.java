/** The hypercall socket, with well-behaved and hostile domains. */
@NullMarked
package io.hyperverbs.vmm.hypercall;

import org.jspecify.annotations.NullMarked;
