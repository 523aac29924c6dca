/**
 * Machine memory: extents in sealed memfds, the frame table that alone judges ownership, mappings of
 * extents, and grants ({@link io.hyperverbs.vmm.memory.GrantTable}), by which an owner of frames
 * lets another domain map them. The VMM owns all of it; domains hold mappings.
 */
@NullMarked
package io.hyperverbs.vmm.memory;

import org.jspecify.annotations.NullMarked;
