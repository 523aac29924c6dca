package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.MemoryNetwork;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.PacketPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A network on which an HCA is alone: whatever is for a port of its own goes out as packets and comes back. */
public final class OutAndBack {
    /** Address of port 1, 10.0.0.1; the next port has the next. */
    private static final int FIRST_ADDRESS = 0x0a00_0001;

    private OutAndBack() {}

    /**
     * That of an HCA with the standard ports.
     *
     * @param lost of packets, and so on, 0 to 1 each; no NAK that ends a connection is lost
     */
    public static Network of(HcaLimits limits, long seed, double lost, double doubled, double overtaking) {
        MemoryNetwork memory = new MemoryNetwork(new SplittableRandom(seed));
        memory.impair(lost, doubled, overtaking);
        memory.spareRefusals();
        PortSettings settings = PortSettings.standard(limits.lid(), limits.mtuBytes());
        List<Integer> own = new ArrayList<>();
        Map<Integer, Integer> byLid = new HashMap<>();
        List<PacketPort> ports = new ArrayList<>();
        for (int port = 1; port <= settings.count(); port++) {
            int address = FIRST_ADDRESS + port - 1;
            own.add(address);
            byLid.put(settings.lid(port), address);
            ports.add(memory.port(address));
        }
        return new Network(new WireAddresses(own, byLid), ports);
    }
}
