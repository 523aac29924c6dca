package io.hyperverbs.frontend.post;

import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;

/** Fills receive slots in place and publishes them as one batch. One thread at a time. */
abstract class ReceiveBatch implements ReceivePoster {
    private static final long NO_REQUEST = -1;

    final int maxSegments;

    private VerbsStatus mistake = VerbsStatus.SUCCESS;
    private PostMistake why = PostMistake.NONE;
    private PostMistake last = PostMistake.NONE;
    private int count;
    private int room;
    private long wqe = NO_REQUEST;
    private int segments;

    ReceiveBatch(int maxSegments) {
        this.maxSegments = maxSegments;
    }

    /** Where the slots are, until the next batch. */
    abstract MemorySegment memory();

    /** Slots that are free now; none of a queue that is closed. */
    abstract int free();

    /** Byte offset of the {@code ahead}-th free slot. */
    abstract long slot(int ahead);

    /** Why nothing may be posted now, or NONE. */
    abstract PostMistake gate();

    /** Makes so many filled slots visible. */
    abstract VerbsStatus publish(int posted);

    /** Why the last post was refused. */
    final PostMistake last() {
        return last;
    }

    @Override
    public final ReceivePoster start() {
        mistake = VerbsStatus.SUCCESS;
        why = PostMistake.NONE;
        count = 0;
        room = 0;
        wqe = NO_REQUEST;
        return this;
    }

    @Override
    public final ReceivePoster receive(long wrId) {
        if (mistake != VerbsStatus.SUCCESS) {
            return this;
        }
        if (count >= room) {
            room = free();
            if (count >= room) {
                fail(VerbsStatus.ENOMEM, PostMistake.FULL);
                return this;
            }
        }
        wqe = slot(count++);
        segments = 0;
        ReceiveWqeLayout.writeHead(memory(), wqe, wrId);
        return this;
    }

    @Override
    public final ReceivePoster sge(int lkey, long address, int lengthBytes) {
        if (wqe == NO_REQUEST || segments >= maxSegments || lengthBytes < 0) {
            fail(
                    VerbsStatus.EINVAL,
                    wqe == NO_REQUEST ? PostMistake.FORM : lengthBytes < 0 ? PostMistake.LENGTH : PostMistake.SEGMENTS);
            return this;
        }
        ReceiveWqeLayout.writeSegment(memory(), wqe, segments, address, lengthBytes, lkey);
        ReceiveWqeLayout.writeSegmentCount(memory(), wqe, ++segments);
        return this;
    }

    @Override
    public final VerbsStatus post() {
        VerbsStatus status = mistake;
        PostMistake reason = why;
        int posted = count;
        start();
        PostMistake gate = gate();
        if (gate == PostMistake.CLOSED || (status == VerbsStatus.SUCCESS && gate != PostMistake.NONE)) {
            status = VerbsStatus.EINVAL;
            reason = gate;
        }
        if (status == VerbsStatus.SUCCESS && posted > 0) {
            status = publish(posted);
            reason = status == VerbsStatus.SUCCESS ? PostMistake.NONE : PostMistake.REFUSED;
        }
        last = reason;
        return status;
    }

    private void fail(VerbsStatus status, PostMistake reason) {
        if (mistake == VerbsStatus.SUCCESS) {
            mistake = status;
            why = reason;
        }
        wqe = NO_REQUEST;
    }
}
