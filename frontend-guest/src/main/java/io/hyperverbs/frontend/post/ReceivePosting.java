package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;

/** Fills receive slots in place and publishes them as one batch. One thread at a time. */
public final class ReceivePosting implements ReceivePoster {
    private static final long NO_REQUEST = -1;

    private final ReceiveRing ring;
    private final MemorySegment memory;
    private final QpPort port;
    private final CachedQpState cached;
    private final int maxSegments;
    private final PostTrace trace;

    private VerbsStatus mistake = VerbsStatus.SUCCESS;
    private PostMistake why = PostMistake.NONE;
    private PostMistake last = PostMistake.NONE;
    private QpState refusedIn = QpState.RESET;
    private int count;
    private int room;
    private long wqe = NO_REQUEST;
    private int segments;

    public ReceivePosting(ReceiveRing ring, QpPort port, CachedQpState cached, int maxSegments, PostTrace trace) {
        this.ring = ring;
        this.memory = ring.memory();
        this.port = port;
        this.cached = cached;
        this.maxSegments = maxSegments;
        this.trace = trace;
    }

    @Override
    public ReceivePoster start() {
        mistake = VerbsStatus.SUCCESS;
        why = PostMistake.NONE;
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
        if (count >= room) {
            room = ring.free();
            if (count >= room) {
                fail(VerbsStatus.ENOMEM, PostMistake.FULL);
                return this;
            }
        }
        wqe = ring.slot(count++);
        segments = 0;
        ReceiveWqeLayout.writeHead(memory, wqe, wrId);
        return this;
    }

    @Override
    public ReceivePoster sge(int lkey, long address, int lengthBytes) {
        if (wqe == NO_REQUEST || segments >= maxSegments || lengthBytes < 0) {
            fail(
                    VerbsStatus.EINVAL,
                    wqe == NO_REQUEST ? PostMistake.FORM : lengthBytes < 0 ? PostMistake.LENGTH : PostMistake.SEGMENTS);
            return this;
        }
        ReceiveWqeLayout.writeSegment(memory, wqe, segments, address, lengthBytes, lkey);
        ReceiveWqeLayout.writeSegmentCount(memory, wqe, ++segments);
        return this;
    }

    @Override
    public VerbsStatus post() {
        VerbsStatus status = mistake;
        PostMistake reason = why;
        int posted = count;
        start();
        if (status == VerbsStatus.SUCCESS && !cached.allowsReceive()) {
            status = VerbsStatus.EINVAL;
            reason = cached.mistake();
            refusedIn = cached.state();
        }
        if (status == VerbsStatus.SUCCESS && posted > 0) {
            status = trace.isOn() ? trace.receives(ring, posted, port) : port.postReceive(posted);
            reason = status == VerbsStatus.SUCCESS ? PostMistake.NONE : PostMistake.REFUSED;
        }
        last = reason;
        return status;
    }

    /** Why the last post was refused, in words; empty if it was not. */
    public String explain() {
        return switch (last) {
            case STATE -> "receives need INIT, the state was " + refusedIn;
            case SEGMENTS -> last.words() + ": " + maxSegments;
            default -> last.words();
        };
    }

    private void fail(VerbsStatus status, PostMistake reason) {
        if (mistake == VerbsStatus.SUCCESS) {
            mistake = status;
            why = reason;
        }
        wqe = NO_REQUEST;
    }
}
