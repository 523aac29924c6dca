package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.Gid;

/**
 * The port by which this HCA's connection manager is reached.
 *
 * @param address IPv4 address, its first byte in the highest bits; 0 if it is on no wire
 * @param caGuid of the HCA
 */
public record LocalPort(int address, int lid, int mtuBytes, long caGuid) {
    /** The GID that RoCEv2 knows it by. */
    public Gid gid() {
        return Gid.ofIpv4(address);
    }
}
