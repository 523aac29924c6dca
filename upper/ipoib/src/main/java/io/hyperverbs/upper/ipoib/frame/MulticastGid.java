package io.hyperverbs.upper.ipoib.frame;

import io.hyperverbs.verbs.Gid;

/**
 * Which InfiniBand group has the packets of an IP group (RFC 4391 §4). Stateless.
 *
 * <pre>
 *  bits  8    4      4      16         16      80
 *      | ff | flags scope | signature | P_Key | group         |  flags 1: not well-known; scope 2: link-local
 *                           0x401b IPv4: the lowest 28 bits of the group's address, else zero
 *                           0x601b IPv6: the lowest 80 bits
 * </pre>
 *
 * The P_Key is that of a full member, as limited members send to the same groups.
 */
public final class MulticastGid {
    private static final long LINK_LOCAL = 0xff12L << 48;
    private static final long IPV4_SIGNATURE = 0x401bL << 32;
    private static final long IPV6_SIGNATURE = 0x601bL << 32;
    private static final int FULL_MEMBER = 0x8000;
    private static final long BROADCAST_GROUP = 0xffff_ffffL;

    private MulticastGid() {}

    /**
     * The group of all nodes of the link, which has to be there for the link to be (RFC 4391 §5): {@code
     * ff12:401b:PKEY:0:0:0:ffff:ffff}.
     *
     * @param pkey of the partition, with or without the bit of full members
     */
    public static Gid broadcast(int pkey) {
        return new Gid(prefix(IPV4_SIGNATURE, pkey), BROADCAST_GROUP);
    }

    /**
     * The InfiniBand group of an IP group, or of 255.255.255.255.
     *
     * @param pkey of the partition, with or without the bit of full members
     * @throws IllegalArgumentException if the address is of one node
     */
    public static Gid of(IpAddress group, int pkey) {
        if (group.isBroadcast()) {
            return broadcast(pkey);
        }
        if (!group.isMulticast()) {
            throw new IllegalArgumentException(group + " is no group");
        }
        if (group.isIpv4()) {
            return new Gid(prefix(IPV4_SIGNATURE, pkey), group.ipv4() & 0xfff_ffff);
        }
        return new Gid(prefix(IPV6_SIGNATURE, pkey) | (group.high() & 0xffff), group.low());
    }

    private static long prefix(long signature, int pkey) {
        return LINK_LOCAL | signature | ((pkey & 0xffffL) | FULL_MEMBER) << 16;
    }
}
