package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/**
 * Sends filled staging slots to the backend. Slots count as taken once they are sent; completions
 * free them as they do on the bypass path, so the backend's ring, which is as large, always has
 * room.
 */
final class ForwardedWork implements QpPort {
    private final CreatedQp qp;
    private final ForwardedChannel channel;
    private final QueueGeometry geometry;
    private final ForwardedCompletions sendCq;
    private final ForwardedCompletions receiveCq;
    private final @Nullable ForwardedSrq shared;

    ForwardedWork(CreatedQp qp, ForwardedChannel channel) {
        this.qp = qp;
        this.channel = channel;
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
        return StagedEntries.send(
                qp.sendRing(),
                geometry.sendStrideBytes(),
                count,
                (now, entries) -> channel.postSend(qp.handle(), now, entries));
    }

    @Override
    public VerbsStatus postReceive(int count) {
        receiveCq.makeRoom(count);
        return StagedEntries.send(
                qp.receiveRing(),
                geometry.receiveStrideBytes(),
                count,
                (now, entries) -> channel.postReceive(qp.handle(), now, entries));
    }

    @Override
    public void close() {
        if (shared != null) {
            shared.feedNoMore(receiveCq);
        }
        sendCq.remove(this);
        receiveCq.remove(this);
    }
}
