package io.hyperverbs.verbs;

/**
 * What the global routing header of a datagram says ({@code ibv_global_route}).
 *
 * @param destination GID of a port or of a multicast group
 * @param flowLabel 20 bits
 * @param sourceGidIndex which GID of the sending port
 * @param hopLimit 0 to 255
 * @param trafficClass 0 to 255
 */
public record GlobalRoute(Gid destination, int flowLabel, int sourceGidIndex, int hopLimit, int trafficClass) {

    /** To that GID from the port's first one; a router more than any HCA of this kind has. */
    public static GlobalRoute to(Gid destination) {
        return new GlobalRoute(destination, 0, 0, 1, 0);
    }
}
