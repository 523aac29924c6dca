package io.hyperverbs.hca.port;

import io.hyperverbs.verbs.GlobalRoute;
import org.jspecify.annotations.Nullable;

/** Decides about the fields of a global route, without effects. Any thread. */
public final class RouteCheck {
    private RouteCheck() {}

    /** Why the route is refused, or null if it can be used. */
    public static @Nullable String refuse(GlobalRoute route) {
        if (route.flowLabel() < 0 || route.flowLabel() > 0xf_ffff) {
            return "flow label " + route.flowLabel() + ", must have 20 bits";
        }
        if (route.hopLimit() < 0 || route.hopLimit() > 0xff) {
            return "hop limit " + route.hopLimit() + ", must be 0 to 255";
        }
        if (route.trafficClass() < 0 || route.trafficClass() > 0xff) {
            return "traffic class " + route.trafficClass() + ", must be 0 to 255";
        }
        return route.sourceGidIndex() >= 0 && route.sourceGidIndex() < PortSettings.GIDS
                ? null
                : "source GID index " + route.sourceGidIndex() + ", must be below " + PortSettings.GIDS;
    }
}
