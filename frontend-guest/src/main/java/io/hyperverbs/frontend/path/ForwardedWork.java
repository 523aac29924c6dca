package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.verbs.VerbsStatus;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sends filled staging slots to the backend. Slots count as taken once they are sent; completions
 * free them as they do on the bypass path, so the backend's ring, which is as large, always has
 * room.
 */
final class ForwardedWork implements WorkPort {
    private final QpEnds qp;
    private final DataLane lane;
    private final QueueGeometry geometry;
    private final ForwardedCompletions sendCq;
    private final ForwardedCompletions receiveCq;
    private final @Nullable ForwardedSrq shared;

    ForwardedWork(QpEnds qp, DataLane lane) {
        this.qp = qp;
        this.lane = lane;
        this.geometry = qp.geometry();
        this.sendCq = (ForwardedCompletions) qp.sendCq();
        this.receiveCq = (ForwardedCompletions) qp.receiveCq();
        this.shared = (ForwardedSrq) qp.srq();
        if (shared != null) {
            shared.feed(receiveCq);
        }
        sendCq.add(this);
        receiveCq.add(this);
    }

    /** Requests that may still complete in {@code cq}. */
    int underWay(ForwardedCompletions cq) {
        int sum = 0;
        if (cq == sendCq) {
            sum += geometry.sendEntries() - qp.sendRing().free();
        }
        if (cq == receiveCq) {
            sum += geometry.receiveEntries() - qp.receiveRing().free();
        }
        return sum;
    }

    @Override
    public VerbsStatus postSend(int count) {
        sendCq.makeRoom(count);
        SendRing ring = qp.sendRing();
        int stride = geometry.sendStrideBytes();
        int atOnce = DataLane.MAX_ENTRY_BYTES / stride;
        for (int left = count; left > 0; ) {
            int now = Math.min(left, atOnce);
            byte[] entries = new byte[now * stride];
            for (int i = 0; i < now; i++) {
                copy(ring.memory(), ring.slot(i), entries, i * stride, stride);
            }
            // Before they leave: a completion may be back before the call is.
            ring.publish(now);
            VerbsStatus status = lane.postSend(qp.handle(), now, entries);
            if (status != VerbsStatus.SUCCESS) {
                ring.publish(-now);
                return status;
            }
            left -= now;
        }
        return VerbsStatus.SUCCESS;
    }

    @Override
    public VerbsStatus postReceive(int count) {
        receiveCq.makeRoom(count);
        ReceiveRing ring = qp.receiveRing();
        int stride = geometry.receiveStrideBytes();
        int atOnce = DataLane.MAX_ENTRY_BYTES / stride;
        for (int left = count; left > 0; ) {
            int now = Math.min(left, atOnce);
            byte[] entries = new byte[now * stride];
            for (int i = 0; i < now; i++) {
                copy(ring.memory(), ring.slot(i), entries, i * stride, stride);
            }
            // Before they leave: a completion may be back before the call is.
            ring.publish(now);
            VerbsStatus status = lane.postReceive(qp.handle(), now, entries);
            if (status != VerbsStatus.SUCCESS) {
                ring.publish(-now);
                return status;
            }
            left -= now;
        }
        return VerbsStatus.SUCCESS;
    }

    @Override
    public void close() {
        if (shared != null) {
            shared.feedNoMore(receiveCq);
        }
        sendCq.remove(this);
        receiveCq.remove(this);
    }

    private static void copy(
            MemorySegment from, long slot, byte[] to, int offset, int lengthBytes) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, slot, to, offset, lengthBytes);
    }
}
