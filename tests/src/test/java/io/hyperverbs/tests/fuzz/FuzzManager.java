package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The connection manager behind QP1, with a guest that listens and has called the peer. One thread. */
final class FuzzManager implements AutoCloseable {
    static final long SERVICE = 7;

    private static final int BACKLOG = 4;
    private static final int QPN = 9;
    private static final long RESPONSE_NANOS = 500_000_000;

    private final FuzzHca device;
    private final Management management;
    private final Session session;
    private final long channel;

    FuzzManager(FuzzHca device, PortSettings ports, WireAddresses addresses, int peer) {
        this.device = device;
        management =
                new Management(ports, device::now, GsiPort.of(device.hca), new NeighbourHcas(addresses, List.of(peer)));
        try {
            session = new Session(
                    9,
                    "callee",
                    false,
                    SessionSettings.of(Map.of(), FrameRun.FRAME_BYTES, ports.pkeyTable()),
                    List.of(new FrameRun(0, 1)),
                    new SplittableRandom(3));
            management.open(session);
            // Only its references are counted here: the guest makes nothing on the HCA.
            ContextObject context = new ContextObject(1, null, DataPathKind.BYPASS, null, session.events());
            channel = management.createChannel(session, context);
            long _ = management.listen(session, new ManagementRequest.Listen(channel, SERVICE, BACKLOG));
            ManagementReply.Resolved resolved = (ManagementReply.Resolved) management.resolve(
                    session, new ManagementRequest.Resolve(channel, Destination.gid(Gid.ofIpv4(peer))));
            management.connect(
                    session,
                    new ManagementRequest.Connect(
                            resolved.connection(), SERVICE, offer(), RESPONSE_NANOS, PrivateData.none()));
        } catch (Refusal e) {
            throw new IllegalStateException(e);
        }
        work();
    }

    private static CmOffer offer() {
        return new CmOffer(QpType.RC, QPN, 1, 4, 4, 6, 7, 14);
    }

    /** Takes what came for QP1, and sends what is to be sent. */
    void work() {
        while (management.doWork(device.now()) > 0) {
            device.run();
        }
    }

    /** The guest takes its events, and accepts or rejects who calls. */
    void answer(boolean accepts) {
        try {
            ManagementReply.Notices taken = (ManagementReply.Notices) management.take(session, channel);
            for (CmNotice notice : taken.notices()) {
                if (notice.type() == CmEvent.Type.CONNECT_REQUEST && accepts) {
                    management.accept(
                            session,
                            new ManagementRequest.Accept(
                                    notice.connection(), offer(), RESPONSE_NANOS, PrivateData.none()));
                } else if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
                    management.release(session, notice.connection());
                }
            }
        } catch (Refusal e) {
            // The call is over meanwhile.
        }
        work();
    }

    @Override
    public void close() {
        management.end(session);
        work();
        management.close();
    }
}
