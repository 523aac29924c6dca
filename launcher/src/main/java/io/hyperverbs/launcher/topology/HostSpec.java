package io.hyperverbs.launcher.topology;

/**
 * A computer of a topology.
 *
 * @param address IPv4 address, first byte in the highest bits: where it is asked, and where port 1 of its HCA is
 * @param target what ssh or Slurm calls it
 * @param hv path of the {@code hv} script there; empty for the same path as here
 */
public record HostSpec(String name, int address, String target, String hv) {}
