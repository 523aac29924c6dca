package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where datagrams go ({@code ibv_ah_attr}).
 *
 * @param port of the sender, from 1
 * @param lid of the destination: 1 to 0xbfff a port, 0xc000 to 0xfffe a multicast group; 0 to find
 *     the port by the route's GID
 * @param serviceLevel 0 to 15
 * @param sourcePathBits low bits of the sender's LID; 0, as a port has one LID
 * @param staticRate {@link StaticRate} on the wire; 0 is the port's own
 * @param route what the global routing header says ({@code is_global}); null for none
 */
public record AddressAttributes(
        int port,
        int lid,
        int serviceLevel,
        int sourcePathBits,
        int staticRate,
        @Nullable GlobalRoute route) {
    // A reply may go as far as it takes.
    private static final int MAX_HOPS = 0xff;

    /** To a port by LID, without a global routing header. */
    public static AddressAttributes of(int lid) {
        return new AddressAttributes(1, lid, 0, 0, 0, null);
    }

    /** To a port by GID. */
    public static AddressAttributes of(Gid gid) {
        return of(0).withRoute(GlobalRoute.to(gid));
    }

    /** To a multicast group. */
    public static AddressAttributes ofGroup(Gid group, int lid) {
        return of(lid).withRoute(GlobalRoute.to(group));
    }

    /**
     * Back to where a datagram came from ({@code ibv_init_ah_from_wc}).
     *
     * @param completion of its receive
     * @param port where it came in
     * @param receive memory that the receive named
     * @param offsetBytes where it begins there; its header is read if there is one
     */
    public static AddressAttributes replyTo(
            WorkCompletion completion, int port, MemorySegment receive, long offsetBytes) {
        GlobalRoute route = completion.hasGrh()
                ? new GlobalRoute(
                        Grh.source(receive, offsetBytes),
                        Grh.flowLabel(receive, offsetBytes),
                        0,
                        MAX_HOPS,
                        Grh.trafficClass(receive, offsetBytes))
                : null;
        return new AddressAttributes(port, completion.sourceLid(), completion.serviceLevel(), 0, 0, route);
    }

    public AddressAttributes withRoute(@Nullable GlobalRoute changed) {
        return new AddressAttributes(port, lid, serviceLevel, sourcePathBits, staticRate, changed);
    }

    /** With a {@link StaticRate}. */
    public AddressAttributes withStaticRate(int changed) {
        return new AddressAttributes(port, lid, serviceLevel, sourcePathBits, changed, route);
    }

    public AddressAttributes withServiceLevel(int changed) {
        return new AddressAttributes(port, lid, changed, sourcePathBits, staticRate, route);
    }
}
