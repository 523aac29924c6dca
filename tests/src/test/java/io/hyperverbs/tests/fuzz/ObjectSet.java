package io.hyperverbs.tests.fuzz;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One of each object, made as a driver makes them, in the first eight frames of some memory. */
final class ObjectSet {
    private final Function<ControlRequest, ControlReply> path;
    private final long firstFrame;
    private final List<Long> handles = new ArrayList<>();
    private final long qp;

    /** Makes them over {@code path}. */
    ObjectSet(Function<ControlRequest, ControlReply> path, long firstFrame) {
        this.path = path;
        this.firstFrame = firstFrame;
        long context = learn(done(new ControlRequest.OpenContext(DataPathKind.BYPASS), ControlReply.ContextOpened.class)
                .context());
        long pd = learn(done(new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class)
                .pd());
        ControlRequest region = new ControlRequest.RegisterMemory(pd, 0x1000, 8192, 7, List.of(frames(0, 2)));
        long _ = learn(done(region, ControlReply.MemoryRegistered.class).region());
        long cqRing = ring(context, 2, 2);
        long cq = learn(done(new ControlRequest.CreateCq(context, 16, cqRing, false), ControlReply.CqCreated.class)
                .cq());
        long qpRing = ring(context, 4, 4);
        qp = learn(done(
                        new ControlRequest.CreateQp(pd, QpType.RC.code(), cq, cq, qpRing, QpLimits.of(8, 8)),
                        ControlReply.QpCreated.class)
                .qp());
    }

    private <R extends ControlReply> R done(ControlRequest request, Class<R> type) {
        ControlReply reply = path.apply(request);
        if (!type.isInstance(reply)) {
            throw new IllegalStateException(request + ": " + reply);
        }
        return type.cast(reply);
    }

    private long learn(long handle) {
        handles.add(handle);
        return handle;
    }

    private FrameRun frames(int first, int count) {
        return new FrameRun(firstFrame + first, count);
    }

    private long ring(long context, int first, int count) {
        ControlRequest request = new ControlRequest.RegisterRing(context, count * 4096L, List.of(frames(first, count)));
        return learn(done(request, ControlReply.RingRegistered.class).ring());
    }

    List<Long> handles() {
        return handles;
    }

    /** Whether they answer. */
    boolean isThere() {
        return path.apply(new ControlRequest.QueryQp(qp)) instanceof ControlReply.QpQueried;
    }
}
