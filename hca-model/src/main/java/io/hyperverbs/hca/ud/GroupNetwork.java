package io.hyperverbs.hca.ud;

import io.hyperverbs.verbs.Gid;

/** The wire as multicast groups see it. Engine thread only. */
public interface GroupNetwork {
    /** Takes what is sent to that IPv4 group from now on; false if the network takes no more groups. */
    boolean join(int group);

    void leave(int group);

    /**
     * The IPv4 group that stands for a multicast GID: its own, or one of 239.0.0.0/8 by 24 bits of the GID. GIDs that
     * differ may have the same; receivers tell them apart by Q_Key alone.
     */
    static int address(Gid group) {
        if (group.isIpv4()) {
            return group.ipv4();
        }
        long mixed = (group.prefix() * 31 + group.interfaceId()) * 0x9e37_79b9_7f4a_7c15L;
        return 0xef00_0000 | (int) (mixed >>> 40);
    }
}
