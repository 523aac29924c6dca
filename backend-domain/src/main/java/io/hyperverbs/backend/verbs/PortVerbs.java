package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands.PortReport;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.QueryGid;
import io.hyperverbs.vmm.io.ControlRequest.QueryPkey;
import io.hyperverbs.vmm.io.ControlRequest.QueryPort;

/** What the ports say of themselves, and their tables. */
public final class PortVerbs {
    private static final int MAX_MTU_BYTES = 4096;
    private static final int WIDTH_4X = 2;
    private static final int SPEED_SDR = 1;
    private static final int LINK_UP = 5;
    private static final int DISABLED = 3;
    private static final int ONE_VL = 1;

    private final DeviceServices services;

    PortVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb port(Session session, QueryPort request) throws Refusal {
        check(session, request.context(), request.port());
        return _ -> {
            PortReport report = services.hca().queryPort(request.port());
            Statuses.expectSuccess(report.status(), "port");
            return new ControlReply.PortQueried(
                    attributes(services.ports().with(session.pkeys()), request.port(), report));
        };
    }

    Verb gid(Session session, QueryGid request) throws Refusal {
        check(session, request.context(), request.port());
        PortSettings ports = services.ports();
        if (request.index() < 0 || request.index() >= ports.gids()) {
            throw Statuses.invalid("GID index " + request.index() + ", must be below " + ports.gids());
        }
        return _ -> new ControlReply.GidQueried(ports.gid(request.port(), request.index()));
    }

    Verb pkey(Session session, QueryPkey request) throws Refusal {
        check(session, request.context(), request.port());
        PkeyTable pkeys = session.pkeys();
        if (request.index() < 0 || request.index() >= pkeys.count()) {
            throw Statuses.invalid("P_Key index " + request.index() + ", must be below " + pkeys.count());
        }
        return _ -> new ControlReply.PkeyQueried(pkeys.pkey(request.index()));
    }

    private void check(Session session, long context, int port) throws Refusal {
        var _ = Statuses.parameter(session.contexts().get(context), "context");
        if (!services.ports().isPort(port)) {
            throw Statuses.invalid("port " + port + ", the HCA has ports 1 to "
                    + services.ports().count());
        }
    }

    /** What a port that is as {@code report} says tells of itself. */
    public static PortAttributes attributes(PortSettings ports, int port, PortReport report) {
        Gid gid = ports.gid(port);
        return new PortAttributes(
                report.state(),
                MAX_MTU_BYTES,
                ports.mtuBytes(),
                ports.lid(port),
                gid.prefix(),
                gid.interfaceId(),
                ports.pkeys().getFirst(),
                ports.gids(),
                ports.pkeys().size(),
                HcaLimits.MAX_MESSAGE_BYTES,
                report.badPkeys(),
                report.qkeyViolations(),
                link(report.state()));
    }

    /** No subnet manager runs: LIDs are given by the topology. */
    private static PortLink link(PortState state) {
        return new PortLink(0, 0, 0, ONE_VL, WIDTH_4X, SPEED_SDR, state == PortState.ACTIVE ? LINK_UP : DISABLED, 0, 0);
    }
}
