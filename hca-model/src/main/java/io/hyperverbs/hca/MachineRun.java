package io.hyperverbs.hca;

/** Contiguous machine memory: byte offset into the HCA's machine memory and length. */
public record MachineRun(long machineAddress, long lengthBytes) {}
