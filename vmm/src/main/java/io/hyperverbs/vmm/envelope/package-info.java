/**
 * What a guest may take of the computer besides its RAM: memory with the kernel's own, processes,
 * processor time and cores, by the kernel's control groups. Finds which of them this computer lets
 * us use ({@link io.hyperverbs.vmm.envelope.HierarchyFinder}), makes one group for each machine
 * ({@link io.hyperverbs.vmm.envelope.MachineEnvelope}) and in it one for the trusted processes and
 * one for each guest ({@link io.hyperverbs.vmm.envelope.GuestGroup}). Files alone, no native calls;
 * callable from any thread.
 */
@NullMarked
package io.hyperverbs.vmm.envelope;

import org.jspecify.annotations.NullMarked;
