package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.SrqPort;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SharedReceiveRing;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.VerbText;

/**
 * Fills slots of a shared receive queue in place and publishes them as one batch. One thread at a
 * time.
 */
public final class SharedReceivePosting implements ReceivePoster {
    private static final long NO_REQUEST = -1;

    private final SharedReceiveRing ring;
    private final SrqPort port;
    private final int maxSegments;
    private final VerbTrace trace;
    private final int srqn;
    private final String word;

    private VerbsStatus mistake = VerbsStatus.SUCCESS;
    private int count;
    private int room;
    private long wqe = NO_REQUEST;
    private int segments;
    private volatile boolean closed;

    /**
     * @param word last word of a line of the verb log: {@code bypass} or {@code forwarded}
     */
    public SharedReceivePosting(
            SharedReceiveRing ring, SrqPort port, int maxSegments, VerbTrace trace, int srqn, String word) {
        this.ring = ring;
        this.port = port;
        this.maxSegments = maxSegments;
        this.trace = trace;
        this.srqn = srqn;
        this.word = word;
    }

    /** Nothing can be posted any more. */
    public void close() {
        closed = true;
    }

    @Override
    public ReceivePoster start() {
        mistake = VerbsStatus.SUCCESS;
        count = 0;
        room = 0;
        wqe = NO_REQUEST;
        return this;
    }

    @Override
    public ReceivePoster receive(long wrId) {
        if (mistake != VerbsStatus.SUCCESS) {
            return this;
        }
        if (closed) {
            fail(VerbsStatus.EINVAL);
            return this;
        }
        if (count >= room) {
            room = port.free();
            if (count >= room) {
                fail(VerbsStatus.ENOMEM);
                return this;
            }
        }
        wqe = ring.slot(count++);
        segments = 0;
        ReceiveWqeLayout.writeHead(ring.memory(), wqe, wrId);
        return this;
    }

    @Override
    public ReceivePoster sge(int lkey, long address, int lengthBytes) {
        if (wqe == NO_REQUEST || segments >= maxSegments || lengthBytes < 0) {
            fail(VerbsStatus.EINVAL);
            return this;
        }
        ReceiveWqeLayout.writeSegment(ring.memory(), wqe, segments, address, lengthBytes, lkey);
        ReceiveWqeLayout.writeSegmentCount(ring.memory(), wqe, ++segments);
        return this;
    }

    @Override
    public VerbsStatus post() {
        VerbsStatus status = closed ? VerbsStatus.EINVAL : mistake;
        int posted = count;
        start();
        if (status != VerbsStatus.SUCCESS || posted == 0) {
            return status;
        }
        return trace.isOn() ? traced(posted) : port.post(posted);
    }

    private VerbsStatus traced(int posted) {
        long startNanos = System.nanoTime();
        VerbsStatus status = port.post(posted);
        trace.log(
                "post_srq_recv(srq=" + AttributeText.number24(srqn) + ", " + posted + ")",
                VerbText.result(status),
                System.nanoTime() - startNanos,
                word);
        return status;
    }

    private void fail(VerbsStatus status) {
        if (mistake == VerbsStatus.SUCCESS) {
            mistake = status;
        }
        wqe = NO_REQUEST;
    }
}
