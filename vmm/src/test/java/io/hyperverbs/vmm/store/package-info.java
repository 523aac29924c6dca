/** The key-value store. */
@NullMarked
package io.hyperverbs.vmm.store;

import org.jspecify.annotations.NullMarked;
