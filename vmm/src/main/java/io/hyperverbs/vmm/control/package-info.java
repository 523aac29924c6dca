/**
 * The toolstack's side door: the gRPC service Machine on the topology's vmm.sock, and {@link
 * io.hyperverbs.vmm.control.MachineClient} for it. Generated types stop in this package.
 */
@NullMarked
package io.hyperverbs.vmm.control;

import org.jspecify.annotations.NullMarked;
