package io.hyperverbs.backend;

import io.hyperverbs.backend.testing.NoSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.MemoryNetwork;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.PacketPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** An HCA without an engine thread, with LID 3 and the ports of a wire. */
final class WiredHca {
    private static final long CONTEXT = 4096;

    private final MemorySegment memory;
    private final Hca hca;

    WiredHca(WireAddresses addresses) {
        HcaLimits limits = new HcaLimits(8, 8, 8, 8, 8, 64, 8, 8, 3, 2048);
        memory = Arena.ofAuto().allocate(Hca.contextMemoryBytes(limits) + CONTEXT, 4096);
        MemoryNetwork network = new MemoryNetwork(new SplittableRandom(1));
        List<PacketPort> ports = addresses.own().stream().map(network::port).toList();
        hca = new Hca(
                memory,
                () -> {},
                new NoSleep(),
                limits,
                PortSettings.standard(3, 2048),
                new Network(addresses, ports),
                CONTEXT,
                0,
                new SplittableRandom(1));
    }

    Hca hca() {
        return hca;
    }

    /** Links of which something was set, as the context memory shows them. */
    List<String> impaired() {
        List<String> links = new ArrayList<>();
        for (int i = 0; i < Links.MOST; i++) {
            long entry = ContextMemoryLayout.entry(memory, CONTEXT, Table.LINK, i);
            int address = (int) LinkContextLayout.get(memory, entry, Field.ADDRESS);
            if (ContextMemoryLayout.isInUse(memory, entry) && address != Links.WHOLE_PORT) {
                links.add(LinkContextLayout.get(memory, entry, Field.PORT) + " " + Ipv4.text(address) + " "
                        + LinkSettings.read(memory, entry).text());
            }
        }
        return links;
    }
}
