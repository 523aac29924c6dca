package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.DataPathKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Staging rings in private memory; what is posted there travels to the backend over a forwarded channel, and
 * completions come back into a private ring. The classic split driver, to compare with.
 */
public final class ForwardedPath implements DataPath {
    private static final int ALIGNMENT_BYTES = 4096;

    private final DataPathKind kind;
    private final ForwardedChannel channel;

    public ForwardedPath(DataPathKind kind, ForwardedChannel channel) {
        this.kind = kind;
        this.channel = channel;
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
    public CompletionPort attach(CreatedCq cq) {
        ForwardedCompletions completions = new ForwardedCompletions(cq, channel);
        channel.listen(cq.handle(), completions);
        return completions;
    }

    @Override
    public QpPort attach(CreatedQp qp) {
        return new ForwardedWork(qp, channel);
    }

    @Override
    public SrqPort attach(SrqEnds srq) {
        return new ForwardedSrq(srq, channel);
    }

    /** The channel is the session's and stays. */
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
