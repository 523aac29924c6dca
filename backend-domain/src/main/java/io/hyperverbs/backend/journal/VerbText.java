package io.hyperverbs.backend.journal;

import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Requests and answers in the words of the verbs API, as the journal keeps and tools print them.
 */
final class VerbText {
    private static final int MOST_RUNS = 8;
    private static final int HASH_BYTES = 16;

    private VerbText() {}

    static String name(ControlRequest request) {
        return switch (request) {
            case ControlRequest.OpenContext r -> "open_device";
            case ControlRequest.QueryDevice r -> "query_device";
            case ControlRequest.QueryPort r -> "query_port";
            case ControlRequest.QueryGid r -> "query_gid";
            case ControlRequest.QueryPkey r -> "query_pkey";
            case ControlRequest.AllocatePd r -> "alloc_pd";
            case ControlRequest.OpenXrcd r -> "open_xrcd";
            case ControlRequest.RegisterMemory r -> "reg_mr";
            case ControlRequest.RegisterRing r -> "reg_ring";
            case ControlRequest.CreateCq r -> "create_cq";
            case ControlRequest.ResizeCq r -> "resize_cq";
            case ControlRequest.ModerateCq r -> "modify_cq";
            case ControlRequest.CreateQp r -> "create_qp";
            case ControlRequest.ModifyQp r -> "modify_qp";
            case ControlRequest.QueryQp r -> "query_qp";
            case ControlRequest.CreateAh r -> "create_ah";
            case ControlRequest.AttachMulticast r -> "attach_mcast";
            case ControlRequest.DetachMulticast r -> "detach_mcast";
            case ControlRequest.CreateSrq r -> "create_srq";
            case ControlRequest.ArmSrq r -> "modify_srq";
            case ControlRequest.ResizeSrq r -> "modify_srq";
            case ControlRequest.QuerySrq r -> "query_srq";
            case ControlRequest.Management r -> ManagementText.name(r.request());
            case ControlRequest.ReregisterMemory r -> "rereg_mr";
            case ControlRequest.AllocateDmaKey r -> "get_dma_mr";
            case ControlRequest.AllocateWindow r -> "alloc_mw";
            case ControlRequest.Destroy r ->
                switch (r.kind()) {
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
        };
    }

    /** All arguments, but for long lists of frames: what is pinned, the frame table knows. */
    static String arguments(ControlRequest request) {
        return switch (request) {
            case ControlRequest.OpenContext r -> "path=" + r.dataPath();
            case ControlRequest.QueryDevice r -> "context=" + r.context();
            case ControlRequest.QueryPort r -> "context=" + r.context() + " port=" + r.port();
            case ControlRequest.QueryGid r -> "context=" + r.context() + " port=" + r.port() + " index=" + r.index();
            case ControlRequest.QueryPkey r -> "context=" + r.context() + " port=" + r.port() + " index=" + r.index();
            case ControlRequest.AllocatePd r -> "context=" + r.context();
            case ControlRequest.OpenXrcd r -> "context=" + r.context();
            case ControlRequest.RegisterMemory r ->
                "pd=" + r.pd() + memory(r.virtualAddress(), r.lengthBytes(), r.access(), r.runs());
            case ControlRequest.RegisterRing r ->
                "context=" + r.context() + " len=" + r.lengthBytes() + " frames=" + frames(r.runs());
            case ControlRequest.CreateCq r ->
                "context=" + r.context() + " cqe=" + r.entries() + " ring=" + r.ring() + " events=" + r.events();
            case ControlRequest.ResizeCq r -> "cq=" + r.cq() + " cqe=" + r.entries() + " ring=" + r.ring();
            case ControlRequest.ModerateCq r -> "cq=" + r.cq() + " count=" + r.count() + " period=" + r.periodMicros();
            case ControlRequest.CreateQp r ->
                "pd="
                        + r.pd()
                        + " type="
                        + r.typeCode()
                        + " send_cq="
                        + r.sendCq()
                        + " recv_cq="
                        + r.receiveCq()
                        + " ring="
                        + r.ring()
                        + " cap="
                        + r.limits()
                        + (r.srq() == 0 ? "" : " srq=" + r.srq());
            case ControlRequest.ModifyQp r -> "qp=" + r.qp() + " " + AttributeText.of(r.attributes());
            case ControlRequest.QueryQp r -> "qp=" + r.qp();
            case ControlRequest.CreateAh r -> "pd=" + r.pd() + " attr=" + r.attributes();
            case ControlRequest.AttachMulticast r -> "qp=" + r.qp() + " gid=" + r.group() + " lid=" + r.lid();
            case ControlRequest.DetachMulticast r -> "qp=" + r.qp() + " gid=" + r.group() + " lid=" + r.lid();
            case ControlRequest.CreateSrq r ->
                "pd="
                        + r.pd()
                        + " attr="
                        + r.limits()
                        + " ring="
                        + r.ring()
                        + (r.xrcd() == 0 ? "" : " xrcd=" + r.xrcd() + " cq=" + r.cq());
            case ControlRequest.ArmSrq r -> "srq=" + r.srq() + " limit=" + r.limit();
            case ControlRequest.ResizeSrq r -> "srq=" + r.srq() + " max_wr=" + r.receiveWr() + " ring=" + r.ring();
            case ControlRequest.QuerySrq r -> "srq=" + r.srq();
            case ControlRequest.ReregisterMemory r ->
                "mr="
                        + r.region()
                        + " flags=0x"
                        + Integer.toHexString(r.changes())
                        + " pd="
                        + r.pd()
                        + memory(r.virtualAddress(), r.lengthBytes(), r.access(), r.runs());
            case ControlRequest.AllocateDmaKey r -> "pd=" + r.pd();
            case ControlRequest.AllocateWindow r -> "pd=" + r.pd() + " type=" + r.typeCode();
            case ControlRequest.Destroy r -> "handle=" + r.handle();
            case ControlRequest.Management r -> ManagementText.printable(r.request());
        };
    }

    /** What came of it. */
    static String answer(ControlReply reply) {
        return switch (reply) {
            case ControlReply.Done r -> "";
            case ControlReply.Refused r -> r.message();
            case ControlReply.ContextOpened r -> "context=" + r.context();
            case ControlReply.DeviceQueried r -> "";
            case ControlReply.PortQueried r -> "";
            case ControlReply.GidQueried r -> "";
            case ControlReply.PkeyQueried r -> "";
            case ControlReply.PdAllocated r -> "pd=" + r.pd() + " number=" + r.number();
            case ControlReply.MemoryRegistered r ->
                "mr="
                        + r.region()
                        + " lkey=0x"
                        + Integer.toHexString(r.lkey())
                        + " rkey=0x"
                        + Integer.toHexString(r.rkey());
            case ControlReply.WindowAllocated r -> "mw=" + r.window() + " rkey=0x" + Integer.toHexString(r.rkey());
            case ControlReply.RingRegistered r -> "ring=" + r.ring();
            case ControlReply.CqCreated r ->
                "cq=" + r.cq() + " number=" + r.number() + " slot=" + r.slot() + " entries=" + r.entries();
            case ControlReply.QpCreated r ->
                "qp=" + r.qp() + " qpn=0x" + Integer.toHexString(r.qpn()) + " slot=" + r.slot();
            case ControlReply.QpQueried r -> "";
            case ControlReply.AhCreated r -> "ah=" + r.ah() + " number=0x" + Integer.toHexString(r.number());
            case ControlReply.SrqCreated r -> "srq=" + r.srq() + " srqn=0x" + Integer.toHexString(r.srqn());
            case ControlReply.SrqQueried r -> "";
            case ControlReply.Management r -> ManagementText.printable(r.reply());
        };
    }

    private static String memory(long virtualAddress, long lengthBytes, int access, List<FrameRun> runs) {
        return " addr=0x"
                + Long.toHexString(virtualAddress)
                + " len="
                + lengthBytes
                + " access="
                + AttributeText.rights(access)
                + " frames="
                + frames(runs);
    }

    /** The runs themselves if they are few; else how many, and a hash: a guest can have 16 000. */
    private static String frames(List<FrameRun> runs) {
        if (runs.size() > MOST_RUNS) {
            return runs.stream().mapToLong(FrameRun::count).sum()
                    + " in "
                    + runs.size()
                    + " runs, sha256 "
                    + hash(runs);
        }
        StringBuilder text = new StringBuilder();
        for (FrameRun run : runs) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(run.firstFrame())
                    .append('+')
                    .append(run.count());
        }
        return text.toString();
    }

    /** Of first frame and count of each, big-endian. */
    private static String hash(List<FrameRun> runs) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer run = ByteBuffer.allocate(2 * Long.BYTES);
            for (FrameRun each : runs) {
                digest.update(run.putLong(0, each.firstFrame()).putLong(Long.BYTES, each.count()));
                run.rewind();
            }
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            // Every Java services has it.
            throw new IllegalStateException(e);
        }
    }
}
