package io.hyperverbs.backend.sa;

import io.hyperverbs.verbs.Gid;

/**
 * A guest of another HCA, or all of an HCA that is none of the topology.
 *
 * @param gid the guest's own; {@code ::ffff:a.b.c.d} of an HCA
 * @param address IPv4 address of its HCA's port 1, its first byte in the highest bits
 * @param mtuBytes that its port takes
 */
public record RemoteGuest(String name, Gid gid, int address, int mtuBytes) {}
