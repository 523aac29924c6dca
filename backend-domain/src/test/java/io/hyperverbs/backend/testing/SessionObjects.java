package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;

/** One of each object in a session, as a program would make them. Handles only. */
public record SessionObjects(
        long context,
        long pd,
        long region,
        long cqRing,
        long qpRing,
        long cq,
        long qp,
        long srqRing,
        long srq,
        long window,
        long ah) {
    public static final QpLimits LIMITS = QpLimits.of(16, 16);
    public static final SrqLimits SRQ_LIMITS = new SrqLimits(16, 2);
    public static final long SRQ_BYTES = SrqGeometry.of(16, 2).totalBytes();
    public static final int CQ_ENTRIES = 64;
    public static final long REGION_BYTES = 8192;

    /** Creates them: the region on frames 0 and 1, the rings on frames 8 and 16 on. */
    public static SessionObjects create(ExecutorBench bench, Session session, DataPathKind path) {
        long context = bench.context(session, path);
        long pd = bench.pd(session, context);
        long region = bench.done(
                        session, register(pd, bench.frames(session, 0, 2)), ControlReply.MemoryRegistered.class)
                .region();
        long window = bench.done(session, new ControlRequest.AllocateWindow(pd, 2), ControlReply.WindowAllocated.class)
                .window();
        boolean bypass = path == DataPathKind.BYPASS;
        long cqRing = bypass ? ring(bench, session, context, 8, cqBytes()) : 0;
        long qpRing = bypass ? ring(bench, session, context, 16, qpBytes()) : 0;
        long cq = bench.done(
                        session,
                        new ControlRequest.CreateCq(context, CQ_ENTRIES, cqRing, true),
                        ControlReply.CqCreated.class)
                .cq();
        long qp = bench.done(session, createQp(pd, cq, qpRing), ControlReply.QpCreated.class)
                .qp();
        long ah = bench.done(
                        session, new ControlRequest.CreateAh(pd, AddressAttributes.of(1)), ControlReply.AhCreated.class)
                .ah();
        long srqRing = bypass ? ring(bench, session, context, 24, SRQ_BYTES) : 0;
        long srq = bench.done(
                        session, new ControlRequest.CreateSrq(pd, SRQ_LIMITS, srqRing), ControlReply.SrqCreated.class)
                .srq();
        return new SessionObjects(context, pd, region, cqRing, qpRing, cq, qp, srqRing, srq, window, ah);
    }

    /** The handle of its object of that kind; of rings that of the completion queue. */
    public long handle(ObjectKind kind) {
        return switch (kind) {
            case CONTEXT -> context;
            case PD -> pd;
            case REGION -> region;
            case RING -> cqRing;
            case CQ -> cq;
            case QP -> qp;
            case AH -> ah;
            case SRQ -> srq;
            case WINDOW -> window;
        };
    }

    public static ControlRequest register(long pd, FrameRun run) {
        return new ControlRequest.RegisterMemory(
                pd, 0x10000, run.lengthBytes(), Access.LOCAL_WRITE.bit() | Access.REMOTE_WRITE.bit(), List.of(run));
    }

    public static ControlRequest createQp(long pd, long cq, long ring) {
        return new ControlRequest.CreateQp(pd, QpType.RC.code(), cq, cq, ring, LIMITS);
    }

    public static QueueGeometry geometry() {
        return QueueGeometry.of(LIMITS);
    }

    public static long cqBytes() {
        return CqHeaderLayout.totalBytes(CQ_ENTRIES);
    }

    public static long qpBytes() {
        return geometry().totalBytes();
    }

    public static FrameRun ringFrames(ExecutorBench bench, Session session, int first, long bytes) {
        return bench.frames(session, first, (int) ((bytes + 4095) / 4096));
    }

    private static long ring(ExecutorBench bench, Session session, long context, int first, long bytes) {
        return bench.ring(session, context, bytes, List.of(ringFrames(bench, session, first, bytes)));
    }
}
