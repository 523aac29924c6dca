package io.hyperverbs.launcher.machine;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.zip.CRC32;

/**
 * Addresses of ports on the wire. Those that a topology does not state are of one network
 * 127.x.y.0/24, drawn from the topology's name so that they are the same at each start; the network
 * after it is taken while one of them is in use.
 */
final class PortAddresses {
    private static final int TRIES = 256;

    /** From 127.1.0.0 on: 127.0.x.x is what programs of the computer use. */
    private static final int FIRST = 127 << 24 | 1 << 16;

    private static final int NETWORKS = 255 << 8;

    private final List<HcaSpec> hcas;
    private final Set<Integer> stated = new HashSet<>();
    private final IntPredicate free;

    private PortAddresses(List<HcaSpec> hcas, IntPredicate free) {
        this.hcas = hcas;
        this.free = free;
        hcas.forEach(hca -> stated.addAll(hca.stated()));
        stated.remove(0);
    }

    /**
     * The topology with an address for each port that is on a wire, free at the moment.
     *
     * @throws HvException CONFLICT: one that is stated is in use or not this computer's, or no network is free
     */
    static Topology choose(Topology topology) throws HvException {
        return choose(topology, PortAddresses::isFree);
    }

    static Topology choose(Topology topology, IntPredicate free) throws HvException {
        return topology.withHcas(new PortAddresses(topology.hcas(), free).chosen(topology.name()));
    }

    private List<HcaSpec> chosen(String name) throws HvException {
        for (HcaSpec hca : hcas) {
            for (int address : hca.stated()) {
                if (address != 0 && !free.test(address)) {
                    throw new HvException(
                            ExitCode.CONFLICT,
                            "address " + Ipv4.text(address) + " of " + hca.name() + " cannot be used: UDP port "
                                    + BthLayout.UDP_PORT + " is taken there, or it is not this computer's",
                            "state another, or none");
                }
            }
        }
        int drawn = draw(name);
        for (int i = 0; i < TRIES; i++) {
            int network = FIRST + ((drawn + i) % NETWORKS << 8);
            List<HcaSpec> placed = placed(network);
            if (isFree(placed)) {
                return placed;
            }
        }
        throw new HvException(
                ExitCode.CONFLICT,
                "no network 127.x.y.0/24 has UDP port " + BthLayout.UDP_PORT + " free for all ports",
                "state addresses in the topology");
    }

    private List<HcaSpec> placed(int network) {
        List<HcaSpec> placed = new ArrayList<>();
        for (HcaSpec hca : hcas) {
            List<Integer> addresses = new ArrayList<>();
            for (int address : hca.stated()) {
                int host = placed.size() * PortSettings.MAX_PORTS + addresses.size() + 1;
                addresses.add(address == 0 ? network + host : address);
            }
            placed.add(hca.withAddresses(addresses));
        }
        return placed;
    }

    private boolean isFree(List<HcaSpec> placed) {
        for (int i = 0; i < placed.size(); i++) {
            for (int port = 0; port < hcas.get(i).stated().size(); port++) {
                int address = placed.get(i).ports().addresses().get(port);
                boolean chosen = hcas.get(i).stated().get(port) == 0;
                if (chosen && (stated.contains(address) || !free.test(address))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int draw(String name) {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % NETWORKS);
    }

    /** Whether nobody listens there, and this computer may. */
    private static boolean isFree(int address) {
        try {
            InetAddress there = InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(address).array());
            new DatagramSocket(new InetSocketAddress(there, BthLayout.UDP_PORT)).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
