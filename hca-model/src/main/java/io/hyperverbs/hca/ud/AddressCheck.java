package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.RouteCheck;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.StaticRate;
import org.jspecify.annotations.Nullable;

/** Decides about the attributes of an address handle, without effects. Any thread. */
public final class AddressCheck {
    /** The first LID of multicast groups. */
    public static final int FIRST_MULTICAST_LID = 0xc000;

    private static final int PERMISSIVE_LID = 0xffff;

    private AddressCheck() {}

    /** Why the attributes are refused, or null if they can be used. */
    public static @Nullable String refuse(AddressAttributes address, PortSettings ports) {
        if (!ports.isPort(address.port())) {
            return "port " + address.port() + ", the HCA has ports 1 to " + ports.count();
        }
        if (address.serviceLevel() < 0 || address.serviceLevel() > 15) {
            return "service level " + address.serviceLevel() + ", must be 0 to 15";
        }
        if (address.sourcePathBits() != 0) {
            return "source path bits " + address.sourcePathBits() + " of a port with one LID";
        }
        if (!StaticRate.isCode(address.staticRate())) {
            return "static rate " + address.staticRate() + ", must be 0 to " + StaticRate.MAX_CODE;
        }
        GlobalRoute route = address.route();
        String refusal = route == null ? null : RouteCheck.refuse(route);
        return refusal != null ? refusal : refuse(address.lid(), route);
    }

    /** Why a queue pair cannot be attached to that group, or null if it can. */
    public static @Nullable String refuseGroup(Gid group, int lid) {
        if (!group.isMulticast()) {
            return "GID " + group + " is not a multicast group's";
        }
        return isMulticast(lid) ? null : "LID " + lid + " is not a multicast group's";
    }

    static boolean isMulticast(int lid) {
        return lid >= FIRST_MULTICAST_LID && lid < PERMISSIVE_LID;
    }

    private static @Nullable String refuse(int lid, @Nullable GlobalRoute route) {
        if (lid < 0 || lid >= PERMISSIVE_LID) {
            return "LID " + lid + ", must be 0 to 65534";
        }
        if (lid == 0) {
            return route == null ? "neither a LID nor a GID" : refuseByGid(route.destination());
        }
        if (isMulticast(lid) != (route != null && route.destination().isMulticast())) {
            return "of LID " + lid + " and GID " + gid(route) + " one is a multicast group's";
        }
        return null;
    }

    private static @Nullable String refuseByGid(Gid gid) {
        return gid.isMulticast() ? "multicast group " + gid + " without its LID" : null;
    }

    private static String gid(@Nullable GlobalRoute route) {
        return route == null ? "none" : route.destination().toString();
    }
}
