package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.QueryDevice;
import io.hyperverbs.vmm.io.ControlRequest.QueryPort;
import io.hyperverbs.vmm.io.ControlRequest.QueryQp;
import io.hyperverbs.vmm.io.FrameRun;

/** Verbs that only ask; they are not journalled. */
final class QueryVerbs {
    /** A locally administered EUI-64, with the port's LID in its low bits. */
    private static final long GUID_PREFIX = 0x0248_5600_0000_0000L;

    private static final long LINK_LOCAL_GID_PREFIX = 0xfe80_0000_0000_0000L;
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int MAX_MTU_BYTES = 4096;
    private static final String FIRMWARE = "0.1.0";

    private final Platform platform;

    QueryVerbs(Platform platform) {
        this.platform = platform;
    }

    Verb device(Session session, QueryDevice request) throws Refusal {
        var _ = Statuses.parameter(session.contexts().get(request.context()), "context");
        return _ -> new ControlReply.DeviceQueried(attributes(session.quota()));
    }

    Verb port(Session session, QueryPort request) throws Refusal {
        var _ = Statuses.parameter(session.contexts().get(request.context()), "context");
        if (request.port() != 1) {
            throw Statuses.invalid("port " + request.port() + ", the HCA has port 1 alone");
        }
        HcaLimits limits = platform.limits();
        return _ ->
                new ControlReply.PortQueried(
                        new PortAttributes(
                                true,
                                MAX_MTU_BYTES,
                                limits.mtuBytes(),
                                limits.lid(),
                                LINK_LOCAL_GID_PREFIX,
                                guid() + 1,
                                DEFAULT_PKEY));
    }

    Verb queuePair(Session session, QueryQp request) throws Refusal {
        QpObject qp = Statuses.parameter(session.qps().get(request.qp()), "QP");
        return _ -> new ControlReply.QpQueried(platform.hca().queryQp(qp.qpn()));
    }

    private DeviceAttributes attributes(Quota quota) {
        HcaLimits limits = platform.limits();
        return new DeviceAttributes(
                FIRMWARE,
                guid(),
                smaller(limits.maxQp(), quota.max(QuotaKind.QP)),
                QueueGeometry.MAX_ENTRIES,
                QueueGeometry.MAX_SGE,
                QueueGeometry.MAX_INLINE_BYTES,
                smaller(limits.maxCq(), quota.max(QuotaKind.CQ)),
                smaller(limits.maxCqe(), quota.max(QuotaKind.CQE)),
                smaller(limits.maxRegions(), quota.max(QuotaKind.MR)),
                quota.max(QuotaKind.REGISTERED),
                smaller(limits.maxPd(), quota.max(QuotaKind.PD)),
                HcaLimits.MAX_READ_ATOMIC,
                HcaLimits.MAX_MESSAGE_BYTES,
                FrameRun.FRAME_BYTES,
                1);
    }

    private long guid() {
        return GUID_PREFIX | (long) platform.limits().lid() << 8;
    }

    private static int smaller(int device, long quota) {
        return (int) Math.min(device, quota);
    }
}
