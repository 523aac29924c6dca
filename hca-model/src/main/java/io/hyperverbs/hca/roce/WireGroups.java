package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.ud.GroupNetwork;
import java.util.List;

/** Multicast groups of an HCA on its wire: each port takes what is sent to them. Engine thread only. */
public final class WireGroups implements GroupNetwork {
    private final List<PacketPort> ports;

    public WireGroups(List<PacketPort> ports) {
        this.ports = ports;
    }

    @Override
    public boolean join(int group) {
        for (PacketPort port : ports) {
            if (!port.join(group)) {
                leave(group);
                return false;
            }
        }
        return true;
    }

    @Override
    public void leave(int group) {
        for (PacketPort port : ports) {
            port.leave(group);
        }
    }
}
