package io.hyperverbs.hca;

/** Contiguous machine memory: byte offset into {@link Dma#machineMemory} and length. */
public record MachineRun(long machineAddress, long lengthBytes) {}
