package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.posix.Fd;

/**
 * RAM of a guest that its driver gives to one executable at a time.
 *
 * @param firstMachineFrame number of its first frame
 * @param frames how many
 * @param memfd its memory; stays open as long as the domain's hypercalls
 */
public record ExecutableMemory(long firstMachineFrame, long frames, Fd memfd) {}
