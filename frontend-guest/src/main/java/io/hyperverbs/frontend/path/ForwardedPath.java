package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.DataPathKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Staging rings in private memory; what is posted there travels to the backend over a lane, and
 * completions come back into a private ring. The classic split driver, to compare with.
 */
public final class ForwardedPath implements DataPath {
    private static final int ALIGNMENT_BYTES = 4096;

    private final DataPathKind kind;
    private final DataLane lane;

    public ForwardedPath(DataPathKind kind, DataLane lane) {
        this.kind = kind;
        this.lane = lane;
    }

    @Override
    public DataPathKind kind() {
        return kind;
    }

    @Override
    public RingMemory takeRing(long lengthBytes) {
        // Collected when the queue is unreachable: a late message may still find it until then.
        MemorySegment memory = Arena.ofAuto().allocate(lengthBytes, ALIGNMENT_BYTES);
        return new PrivateRing(memory);
    }

    @Override
    public CompletionPort attach(CqEnds cq) {
        ForwardedCompletions completions = new ForwardedCompletions(cq, lane);
        lane.listen(cq.handle(), completions);
        return completions;
    }

    @Override
    public WorkPort attach(QpEnds qp) {
        return new ForwardedWork(qp, lane);
    }

    @Override
    public SrqPort attach(SrqEnds srq) {
        return new ForwardedSrq(srq, lane);
    }

    /** The lane is the session's and stays. */
    @Override
    public void close() {}

    private record PrivateRing(MemorySegment memory) implements RingMemory {
        @Override
        public long handle() {
            return 0;
        }

        @Override
        public void release() {}
    }
}
