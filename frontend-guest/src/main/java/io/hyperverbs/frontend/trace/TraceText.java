package io.hyperverbs.frontend.trace;

import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Calls and results in the words of the C verbs. Stateless. */
public final class TraceText {
    private static final String[] RIGHTS = {"LW", "RW", "RR", "RA", "MB", "ZB"};

    private TraceText() {}

    /** The number of a handle: it is its slot in the session, the rest makes it unique. */
    public static int number(long handle) {
        return (int) (handle & 0xffff);
    }

    /** A queue pair number as messages name it. */
    public static String qpn(int qpn) {
        return String.format(Locale.ROOT, "0x%06x", qpn);
    }

    /** Name and arguments of a privileged verb. */
    public static String call(ControlRequest request) {
        return switch (request) {
            case ControlRequest.OpenContext r -> "open_device(" + r.dataPath() + ")";
            case ControlRequest.QueryDevice r -> "query_device(" + number(r.context()) + ")";
            case ControlRequest.QueryPort r -> "query_port(port=" + r.port() + ")";
            case ControlRequest.QueryGid r ->
                    "query_gid(port=" + r.port() + ", index=" + r.index() + ")";
            case ControlRequest.QueryPkey r ->
                    "query_pkey(port=" + r.port() + ", index=" + r.index() + ")";
            case ControlRequest.AllocatePd r -> "alloc_pd(" + number(r.context()) + ")";
            case ControlRequest.OpenXrcd r -> "open_xrcd(" + number(r.context()) + ")";
            case ControlRequest.RegisterMemory r ->
                    String.format(
                            Locale.ROOT,
                            "reg_mr(addr=0x%x, len=%d, %s)",
                            r.virtualAddress(),
                            r.lengthBytes(),
                            rights(r.access()));
            case ControlRequest.RegisterRing r -> "reg_ring(len=" + r.lengthBytes() + ")";
            case ControlRequest.CreateCq r -> "create_cq(" + r.entries() + ")";
            case ControlRequest.CreateQp r ->
                    String.format(
                            Locale.ROOT,
                            "create_qp(pd=%d, send_cq=%d, recv_cq=%d, %d, %d)",
                            number(r.pd()),
                            number(r.sendCq()),
                            number(r.receiveCq()),
                            r.limits().sendWr(),
                            r.limits().receiveWr());
            case ControlRequest.ModifyQp r ->
                    "modify_qp(qp "
                            + number(r.qp())
                            + ", "
                            + attributes(r.attributes().values())
                            + ")";
            case ControlRequest.QueryQp r -> "query_qp(qp " + number(r.qp()) + ")";
            case ControlRequest.CreateAh r ->
                    "create_ah(pd="
                            + number(r.pd())
                            + ", lid="
                            + r.attributes().lid()
                            + gid(r.attributes().route())
                            + ")";
            case ControlRequest.AttachMulticast r ->
                    "attach_mcast(qp " + number(r.qp()) + ", " + r.group() + ", " + r.lid() + ")";
            case ControlRequest.DetachMulticast r ->
                    "detach_mcast(qp " + number(r.qp()) + ", " + r.group() + ", " + r.lid() + ")";
            case ControlRequest.ResizeCq r ->
                    "resize_cq(cq " + number(r.cq()) + ", " + r.entries() + ")";
            case ControlRequest.ModerateCq r ->
                    "modify_cq(cq "
                            + number(r.cq())
                            + ", count="
                            + r.count()
                            + ", period="
                            + r.periodMicros()
                            + ")";
            case ControlRequest.CreateSrq r ->
                    String.format(
                            Locale.ROOT,
                            "create_srq(pd=%d, %d)",
                            number(r.pd()),
                            r.limits().receiveWr());
            case ControlRequest.ArmSrq r ->
                    "modify_srq(srq " + number(r.srq()) + ", limit=" + r.limit() + ")";
            case ControlRequest.ResizeSrq r ->
                    "modify_srq(srq " + number(r.srq()) + ", max_wr=" + r.receiveWr() + ")";
            case ControlRequest.QuerySrq r -> "query_srq(srq " + number(r.srq()) + ")";
            case ControlRequest.ReregisterMemory r ->
                    String.format(
                            Locale.ROOT,
                            "rereg_mr(mr=%d, flags=0x%x, addr=0x%x, len=%d, %s)",
                            number(r.region()),
                            r.changes(),
                            r.virtualAddress(),
                            r.lengthBytes(),
                            rights(r.access()));
            case ControlRequest.AllocateDmaKey r -> "get_dma_mr(pd=" + number(r.pd()) + ")";
            case ControlRequest.AllocateWindow r ->
                    "alloc_mw(pd=" + number(r.pd()) + ", type=" + r.typeCode() + ")";
            case ControlRequest.Destroy r -> destroy(r);
            case ControlRequest.Management r -> r.request().toString();
        };
    }

    /** What a privileged verb gave back. */
    public static String result(ControlReply reply) {
        return switch (reply) {
            case ControlReply.Done _ -> "0";
            case ControlReply.Refused r -> "-1 " + r.status() + " (" + r.message() + ")";
            case ControlReply.ContextOpened r -> "context " + number(r.context());
            case ControlReply.DeviceQueried _ -> "0";
            case ControlReply.PortQueried r -> "lid " + r.attributes().lid();
            case ControlReply.GidQueried r -> r.gid().toString();
            case ControlReply.PkeyQueried r -> "0x" + Integer.toHexString(r.pkey());
            case ControlReply.PdAllocated r -> "pd " + r.number();
            case ControlReply.MemoryRegistered r -> "mr " + number(r.region());
            case ControlReply.WindowAllocated r -> "mw " + number(r.window());
            case ControlReply.RingRegistered r -> "ring " + number(r.ring());
            case ControlReply.CqCreated r -> "cq " + r.number();
            case ControlReply.QpCreated r -> "qp " + qpn(r.qpn());
            case ControlReply.AhCreated r -> String.format(Locale.ROOT, "ah 0x%06x", r.number());
            case ControlReply.SrqCreated r -> "srq " + qpn(r.srqn());
            case ControlReply.SrqQueried r -> r.entries() + ", limit=" + r.limit();
            case ControlReply.QpQueried r -> attributes(r.attributes().values());
            case ControlReply.Management r -> r.reply().toString();
        };
    }

    /** 0, or -1 and the name of the error. */
    public static String result(VerbsStatus status) {
        return status == VerbsStatus.SUCCESS ? "0" : "-1 " + status;
    }

    private static String gid(@Nullable GlobalRoute route) {
        return route == null ? "" : ", gid=" + route.destination();
    }

    private static String rights(int access) {
        StringJoiner words = new StringJoiner("|");
        for (int bit = 0; bit < RIGHTS.length; bit++) {
            if ((access & 1 << bit) != 0) {
                words.add(RIGHTS[bit]);
            }
        }
        return words.length() == 0 ? "0" : words.toString();
    }

    private static String attributes(Map<QpAttribute, Long> values) {
        StringJoiner words = new StringJoiner("|");
        values.forEach(
                (attribute, value) ->
                        words.add(
                                attribute == QpAttribute.STATE && QpState.isCode(value)
                                        ? QpState.of(value.intValue()).name()
                                        : attribute + "=" + value));
        return words.toString();
    }

    private static String destroy(ControlRequest.Destroy request) {
        String verb =
                switch (request.kind()) {
                    case CONTEXT -> "close_device";
                    case PD -> "dealloc_pd";
                    case REGION -> "dereg_mr";
                    case RING -> "dereg_ring";
                    case CQ -> "destroy_cq";
                    case QP -> "destroy_qp";
                    case AH -> "destroy_ah";
                    case SRQ -> "destroy_srq";
                    case WINDOW -> "dealloc_mw";
                };
        return verb + "(" + number(request.handle()) + ")";
    }
}
