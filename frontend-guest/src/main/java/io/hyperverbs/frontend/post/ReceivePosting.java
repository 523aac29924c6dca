package io.hyperverbs.frontend.post;

import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;

/** Posts to the receive queue of a queue pair. One thread at a time. */
public final class ReceivePosting extends ReceiveBatch {
    private final ReceiveRing ring;
    private final QpPort port;
    private final CachedQpState cached;
    private final PostTrace trace;
    private QpState refusedIn = QpState.RESET;

    public ReceivePosting(ReceiveRing ring, QpPort port, CachedQpState cached, int maxSegments, PostTrace trace) {
        super(maxSegments);
        this.ring = ring;
        this.port = port;
        this.cached = cached;
        this.trace = trace;
    }

    @Override
    MemorySegment memory() {
        return ring.memory();
    }

    @Override
    int free() {
        return ring.free();
    }

    @Override
    long slot(int ahead) {
        return ring.slot(ahead);
    }

    @Override
    PostMistake gate() {
        if (cached.allowsReceive()) {
            return PostMistake.NONE;
        }
        refusedIn = cached.state();
        return cached.mistake();
    }

    @Override
    VerbsStatus publish(int posted) {
        return trace.isOn() ? trace.receives(ring, posted, port) : port.postReceive(posted);
    }

    /** Why the last post was refused, in words; empty if it was not. */
    public String explain() {
        return switch (last()) {
            case STATE -> "receives need INIT, the state was " + refusedIn;
            case SEGMENTS -> last().words() + ": " + maxSegments;
            default -> last().words();
        };
    }
}
