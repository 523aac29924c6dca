package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One connected queue pair of a test program, with its completion queue. One thread. */
final class Peer implements AutoCloseable {
    static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    static final int PSN = 0x1000;

    final CompletionQueue cq;
    final RcQueuePair qp;
    private final WorkCompletion[] one = {new WorkCompletion()};
    private final WaitingPolicy waiting = WaitingPolicy.hybrid();

    Peer(Context context, ProtectionDomain pd) throws VerbsException {
        cq = context.createCq(64, null);
        qp = pd.createRc(QpLimits.of(16, 16), cq, cq);
    }

    Endpoint endpoint(MemoryRegion region) throws VerbsException {
        return qp.endpoint(PSN, region);
    }

    /** Connects with short retries, so that a dead peer is noticed within milliseconds. */
    void connect(Endpoint peer) throws VerbsException {
        qp.modify(QpAttributes.toInit(ALL));
        qp.modify(QpAttributes.toRtr(peer));
        qp.modify(QpAttributes.toRts(PSN)
                .with(QpAttribute.TIMEOUT, 8)
                .with(QpAttribute.RETRY_CNT, 3)
                .with(QpAttribute.RNR_RETRY, 7));
    }

    /** Back to where {@link #connect} begins. */
    void disconnect() throws VerbsException {
        qp.modify(QpAttributes.to(QpState.RESET));
    }

    /** The next completion; the object is reused. */
    WorkCompletion await() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        waiting.reset();
        while (cq.poll(one) == 0) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("no completion within 20 s");
            }
            waiting.idleOrNap();
        }
        return one[0];
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        cq.close();
    }
}
