package io.hyperverbs.launcher.context;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.verbs.DeviceVerbs;
import io.hyperverbs.backend.verbs.PortVerbs;
import io.hyperverbs.hca.HcaCommands.PortReport;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.layout.PortContextLayout.Field;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** What an HCA answers when a domain asks for its attributes, worked out from its own memory. */
public final class HcaDescription {
    private final MemorySegment memory;
    private final HcaLimits limits;
    private final PortSettings ports;

    private HcaDescription(HcaView hca) {
        this.memory = hca.memory();
        int lid = ContextMemoryLayout.lid(memory, 0);
        int mtuBytes = ContextMemoryLayout.mtuBytes(memory, 0);
        this.limits = new HcaLimits(
                entries(Table.QP),
                entries(Table.CQ),
                entries(Table.REGION),
                entries(Table.PD),
                entries(Table.UAR),
                ContextMemoryLayout.maxCqe(memory, 0),
                entries(Table.AH),
                entries(Table.MCG),
                lid,
                mtuBytes);
        this.ports =
                new PortSettings(hca.portCount(), lid, mtuBytes, ContextMemoryLayout.pkeys(memory, 0), hca.addresses());
    }

    /** The HCA of that view, which is there. */
    public static HcaDescription of(HcaView hca) {
        return new HcaDescription(hca);
    }

    private int entries(Table table) {
        return ContextMemoryLayout.entryCount(memory, 0, table);
    }

    /**
     * As a domain sees it.
     *
     * @param quota the most the domain may have of a kind
     */
    public DeviceAttributes device(ToLongFunction<QuotaKind> quota) {
        return DeviceVerbs.attributes(limits, ports, quota);
    }

    /** All its ports, from port 1. */
    public List<PortAttributes> ports() {
        List<PortAttributes> all = new ArrayList<>();
        for (int port = 1; port <= ports.count(); port++) {
            all.add(PortVerbs.attributes(ports, port, report(port)));
        }
        return all;
    }

    private PortReport report(int port) {
        long entry = ContextMemoryLayout.port(0, port);
        return new PortReport(
                VerbsStatus.SUCCESS,
                PortState.of((int) PortContextLayout.get(memory, entry, Field.STATE)),
                (int) PortContextLayout.get(memory, entry, Field.BAD_PKEYS),
                (int) PortContextLayout.get(memory, entry, Field.QKEY_VIOLATIONS));
    }

    /** A port's GID table; {@code port} from 1. */
    public List<Gid> gids(int port) {
        return IntStream.range(0, ports.gids())
                .mapToObj(index -> ports.gid(port, index))
                .toList();
    }
}
