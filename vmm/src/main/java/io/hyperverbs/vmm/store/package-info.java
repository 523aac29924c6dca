/**
 * The topology's key-value store (Xen's xenstore): a domain writes under its own name, everybody
 * reads, and can wait for a key. Lives in the VMM.
 */
@NullMarked
package io.hyperverbs.vmm.store;

import org.jspecify.annotations.NullMarked;
