/**
 * Machine memory: extents in sealed memfds, the frame table that alone judges ownership, and
 * mappings of extents. The VMM owns all of it; domains hold mappings.
 */
@NullMarked
package io.hyperverbs.vmm.memory;

import org.jspecify.annotations.NullMarked;
