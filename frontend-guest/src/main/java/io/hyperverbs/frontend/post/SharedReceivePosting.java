package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.SrqPort;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.hca.layout.SharedReceiveRing;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.DataVerb;
import io.hyperverbs.vmm.io.VerbText;
import java.lang.foreign.MemorySegment;

/** Posts to a shared receive queue. One thread at a time. */
public final class SharedReceivePosting extends ReceiveBatch {
    private final SharedReceiveRing ring;
    private final SrqPort port;
    private final VerbTrace trace;
    private final int srqn;
    private final String word;
    private volatile boolean closed;

    /**
     * @param word last word of a line of the verb log: {@code bypass} or {@code forwarded}
     */
    public SharedReceivePosting(
            SharedReceiveRing ring, SrqPort port, int maxSegments, VerbTrace trace, int srqn, String word) {
        super(maxSegments);
        this.ring = ring;
        this.port = port;
        this.trace = trace;
        this.srqn = srqn;
        this.word = word;
    }

    /** Nothing can be posted any more. */
    public void close() {
        closed = true;
    }

    @Override
    MemorySegment memory() {
        return ring.memory();
    }

    @Override
    int free() {
        return closed ? 0 : port.free();
    }

    @Override
    long slot(int ahead) {
        return ring.slot(ahead);
    }

    @Override
    PostMistake gate() {
        return closed ? PostMistake.CLOSED : PostMistake.NONE;
    }

    @Override
    VerbsStatus publish(int posted) {
        if (!trace.isOn()) {
            return port.post(posted);
        }
        long startNanos = System.nanoTime();
        VerbsStatus status = port.post(posted);
        trace.log(
                DataVerb.POST_SRQ_RECV.verb() + "(srq=" + AttributeText.number24(srqn) + ", " + posted + ")",
                VerbText.result(status),
                System.nanoTime() - startNanos,
                word);
        return status;
    }
}
