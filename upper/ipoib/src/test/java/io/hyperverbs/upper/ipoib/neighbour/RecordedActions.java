package io.hyperverbs.upper.ipoib.neighbour;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import java.util.ArrayList;
import java.util.List;

/** What a table wanted done, one line for each. */
final class RecordedActions implements NeighbourActions {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void solicitByMulticast(IpAddress target) {
        lines.add("multicast " + target);
    }

    @Override
    public void solicitByUnicast(IpAddress target, HardwareAddress hardware) {
        lines.add("unicast " + target + " " + hardware.qpn());
    }

    @Override
    public void transmit(int packet, HardwareAddress hardware) {
        lines.add("transmit " + packet + " " + hardware.qpn());
    }

    @Override
    public void drop(int packet, DropReason reason) {
        lines.add("drop " + packet + " " + reason);
    }

    /** The lines since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }
}
