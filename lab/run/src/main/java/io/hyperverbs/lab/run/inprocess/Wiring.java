package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.sa.NeighbourHcas;
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
import java.util.stream.IntStream;

/**
 * Ports of an HCA, and what they are connected with. Immutable.
 *
 * @param network for packets
 * @param neighbours for datagrams of managers
 */
public record Wiring(PortSettings ports, Network network, NeighbourHcas neighbours) {
    /** Address of port 1 of the first HCA, 10.0.0.1; the next port has the next. */
    private static final int FIRST_ADDRESS = 0x0a00_0001;

    /**
     * What a wire does to packets; no NAK that ends a connection is lost. Each from 0 to 1.
     *
     * @param lost share of the packets
     */
    public record Impairment(double lost, double doubled, double overtaking) {
        public static Impairment none() {
            return new Impairment(0, 0, 0);
        }
    }

    /** One HCA without a wire. */
    public static List<Wiring> none(HcaLimits limits) {
        return List.of(new Wiring(
                PortSettings.standard(limits.lid(), limits.mtuBytes()), Network.none(), NeighbourHcas.none()));
    }

    /** One HCA, alone on a network: whatever is for a port of its own goes out as packets and comes back. */
    public static List<Wiring> outAndBack(HcaLimits limits, long seed) {
        PortSettings ports = PortSettings.standard(limits.lid(), limits.mtuBytes());
        Map<Integer, Integer> byLid = byLid(List.of(ports));
        return List.of(wired(ports, byLid, List.of(), network(seed, Impairment.none())));
    }

    /** So many HCAs, each wired to all others; what is for a port of an HCA's own stays in it. */
    public static List<Wiring> between(int count, HcaLimits limits, long seed, Impairment impairment) {
        MemoryNetwork memory = network(seed, impairment);
        int each = PortSettings.standard(limits.lid(), limits.mtuBytes()).count();
        List<PortSettings> all = IntStream.range(0, count)
                .mapToObj(number -> ports(limits, number * each))
                .toList();
        List<Wiring> wirings = new ArrayList<>();
        for (PortSettings own : all) {
            List<PortSettings> others =
                    all.stream().filter(one -> !one.equals(own)).toList();
            List<Integer> first =
                    others.stream().map(one -> one.addresses().getFirst()).toList();
            wirings.add(wired(own, byLid(others), first, memory));
        }
        return wirings;
    }

    private static MemoryNetwork network(long seed, Impairment impairment) {
        MemoryNetwork memory = new MemoryNetwork(new SplittableRandom(seed));
        memory.impair(impairment.lost(), impairment.doubled(), impairment.overtaking());
        memory.spareRefusals();
        return memory;
    }

    private static PortSettings ports(HcaLimits limits, int before) {
        PortSettings plain = PortSettings.standard(limits.lid() + before, limits.mtuBytes());
        return new PortSettings(plain.count(), plain.firstLid(), plain.mtuBytes(), plain.pkeys(), addresses(plain));
    }

    /** Port with LID 1 has the first address. */
    private static List<Integer> addresses(PortSettings ports) {
        return IntStream.rangeClosed(1, ports.count())
                .mapToObj(port -> FIRST_ADDRESS + ports.lid(port) - 1)
                .toList();
    }

    private static Map<Integer, Integer> byLid(List<PortSettings> places) {
        Map<Integer, Integer> byLid = new HashMap<>();
        for (PortSettings one : places) {
            for (int port = 1; port <= one.count(); port++) {
                byLid.put(one.lid(port), addresses(one).get(port - 1));
            }
        }
        return byLid;
    }

    private static Wiring wired(
            PortSettings own, Map<Integer, Integer> byLid, List<Integer> neighbours, MemoryNetwork memory) {
        WireAddresses addresses = new WireAddresses(addresses(own), byLid);
        List<PacketPort> ports = addresses(own).stream().map(memory::port).toList();
        return new Wiring(own, new Network(addresses, ports), new NeighbourHcas(addresses, neighbours));
    }
}
