package io.hyperverbs.frontend.trace;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Calls and results in the words of the C verbs. Stateless. */
public final class TraceText {
    private TraceText() {}

    /** The number of a handle: it is its slot in the session, the rest makes it unique. */
    public static int number(long handle) {
        return (int) (handle & 0xffff);
    }

    /** A queue pair number as messages name it. */
    public static String qpn(int qpn) {
        return AttributeText.number24(qpn);
    }

    /** Name and arguments of a privileged verb. */
    public static String call(ControlRequest request, HandleNames names) {
        return switch (request) {
            case ControlRequest.OpenContext r -> "open_device(" + r.dataPath() + ")";
            case ControlRequest.QueryDevice r -> "query_device(context=" + names.of(r.context()) + ")";
            case ControlRequest.QueryPort r -> "query_port(port=" + r.port() + ")";
            case ControlRequest.QueryGid r -> "query_gid(port=" + r.port() + ", index=" + r.index() + ")";
            case ControlRequest.QueryPkey r -> "query_pkey(port=" + r.port() + ", index=" + r.index() + ")";
            case ControlRequest.AllocatePd r -> "alloc_pd(context=" + names.of(r.context()) + ")";
            case ControlRequest.OpenXrcd r -> "open_xrcd(context=" + names.of(r.context()) + ")";
            case ControlRequest.RegisterMemory r ->
                String.format(
                        Locale.ROOT,
                        "reg_mr(addr=0x%x, len=%d, %s)",
                        r.virtualAddress(),
                        r.lengthBytes(),
                        AttributeText.rights(r.access()));
            case ControlRequest.RegisterRing r -> "reg_ring(len=" + r.lengthBytes() + ")";
            case ControlRequest.CreateCq r -> "create_cq(cqe=" + r.entries() + ")";
            case ControlRequest.CreateQp r ->
                String.format(
                        Locale.ROOT,
                        "create_qp(pd=%s, send_cq=%s, recv_cq=%s, max_send_wr=%d," + " max_recv_wr=%d)",
                        names.of(r.pd()),
                        names.of(r.sendCq()),
                        names.of(r.receiveCq()),
                        r.limits().sendWr(),
                        r.limits().receiveWr());
            case ControlRequest.ModifyQp r ->
                "modify_qp(qp=" + names.of(r.qp()) + ", " + AttributeText.of(r.attributes()) + ")";
            case ControlRequest.QueryQp r -> "query_qp(qp=" + names.of(r.qp()) + ")";
            case ControlRequest.CreateAh r ->
                "create_ah(pd="
                        + names.of(r.pd())
                        + ", lid="
                        + r.attributes().lid()
                        + gid(r.attributes().route())
                        + ")";
            case ControlRequest.AttachMulticast r -> "attach_mcast(qp=" + names.of(r.qp()) + group(r.group(), r.lid());
            case ControlRequest.DetachMulticast r -> "detach_mcast(qp=" + names.of(r.qp()) + group(r.group(), r.lid());
            case ControlRequest.ResizeCq r -> "resize_cq(cq=" + names.of(r.cq()) + ", cqe=" + r.entries() + ")";
            case ControlRequest.ModerateCq r ->
                "modify_cq(cq=" + names.of(r.cq()) + ", count=" + r.count() + ", period=" + r.periodMicros() + " us)";
            case ControlRequest.CreateSrq r ->
                "create_srq(pd=" + names.of(r.pd()) + ", max_wr=" + r.limits().receiveWr() + ")";
            case ControlRequest.ArmSrq r -> "modify_srq(srq=" + names.of(r.srq()) + ", limit=" + r.limit() + ")";
            case ControlRequest.ResizeSrq r ->
                "modify_srq(srq=" + names.of(r.srq()) + ", max_wr=" + r.receiveWr() + ")";
            case ControlRequest.QuerySrq r -> "query_srq(srq=" + names.of(r.srq()) + ")";
            case ControlRequest.ReregisterMemory r ->
                String.format(
                        Locale.ROOT,
                        "rereg_mr(mr=%s, flags=0x%x, addr=0x%x, len=%d, %s)",
                        names.of(r.region()),
                        r.changes(),
                        r.virtualAddress(),
                        r.lengthBytes(),
                        AttributeText.rights(r.access()));
            case ControlRequest.AllocateDmaKey r -> "get_dma_mr(pd=" + names.of(r.pd()) + ")";
            case ControlRequest.AllocateWindow r -> "alloc_mw(pd=" + names.of(r.pd()) + ", type=" + r.typeCode() + ")";
            case ControlRequest.Destroy r -> destroy(r, names);
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
            case ControlReply.AhCreated r -> "ah " + AttributeText.number24(r.number());
            case ControlReply.SrqCreated r -> "srq " + qpn(r.srqn());
            case ControlReply.SrqQueried r -> r.entries() + ", limit=" + r.limit();
            case ControlReply.QpQueried r -> AttributeText.of(r.attributes());
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

    private static String group(Gid group, int lid) {
        return ", gid=" + group + ", lid=" + lid + ")";
    }

    private static String destroy(ControlRequest.Destroy request, HandleNames names) {
        return switch (request.kind()) {
                    case CONTEXT -> "close_device(context=";
                    case PD -> "dealloc_pd(pd=";
                    case REGION -> "dereg_mr(mr=";
                    case RING -> "dereg_ring(ring=";
                    case CQ -> "destroy_cq(cq=";
                    case QP -> "destroy_qp(qp=";
                    case AH -> "destroy_ah(ah=";
                    case SRQ -> "destroy_srq(srq=";
                    case WINDOW -> "dealloc_mw(mw=";
                }
                + names.of(request.handle())
                + ")";
    }
}
