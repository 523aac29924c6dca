package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.number.IntTable;
import io.hyperverbs.hca.number.RandomNumbers;
import io.hyperverbs.hca.srq.Srq;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Queue pairs by index and by QPN, and the private memory that work requests are copied into before
 * anyone looks at them. Engine thread only.
 */
public final class QpTable {
    static final long RECEIVE_COPY_OFFSET = 576;
    static final long COPY_BYTES = RECEIVE_COPY_OFFSET + 512;
    private static final int QUARANTINE = 1 << 14;

    private final ContextMemory contexts;
    private final MemorySegment copies;
    private final @Nullable Qp[] qps;
    private final IntTable byQpn;
    private final RandomNumbers qpns;
    private int nextIndex = -1;
    private int live;
    private long incarnations;

    public QpTable(ContextMemory contexts, int maxQp, RandomGenerator random) {
        this.contexts = contexts;
        this.copies = Arena.ofAuto().allocate(maxQp * COPY_BYTES, 64);
        this.qps = new Qp[maxQp];
        this.byQpn = new IntTable(maxQp);
        this.qpns = new RandomNumbers(random, maxQp, QUARANTINE);
    }

    public boolean isFull() {
        return live == qps.length;
    }

    /** Creates a queue pair in RESET; the table is not full. */
    public Qp create(QpPlan plan) {
        do {
            nextIndex = nextIndex == qps.length - 1 ? 0 : nextIndex + 1;
        } while (qps[nextIndex] != null);
        int qpn = qpns.take();
        Qp qp = new Qp(nextIndex, qpn, plan, contexts, copies);
        qps[nextIndex] = qp;
        byQpn.put(qpn, nextIndex);
        live++;
        plan.sendCq().attach(1);
        plan.receiveCq().attach(1);
        attach(plan.srq(), 1);
        beginLife(qp);
        return qp;
    }

    /** Ends what peers began with an earlier life of this QP. */
    public void beginLife(Qp qp) {
        qp.incarnation(++incarnations);
    }

    public void destroy(Qp qp) {
        qp.context().close();
        qps[qp.index()] = null;
        byQpn.remove(qp.qpn());
        qpns.release(qp.qpn());
        qp.sendCq().attach(-1);
        qp.plan().receiveCq().attach(-1);
        attach(qp.plan().srq(), -1);
        live--;
    }

    private static void attach(@Nullable Srq srq, int change) {
        if (srq != null) {
            srq.attach(change);
        }
    }

    /** A shared receive queue of XRC is to be destroyed: no target knows it any more. */
    public void forget(Srq srq) {
        for (Qp qp : qps) {
            if (qp != null) {
                qp.forget(srq);
            }
        }
    }

    public @Nullable Qp byNumber(int qpn) {
        int index = byQpn.get(qpn);
        return index == IntTable.ABSENT ? null : qps[index];
    }

    /** The queue pair at that index, or null; {@code index} below {@link #capacity}. */
    public @Nullable Qp at(int index) {
        return qps[index];
    }

    public int capacity() {
        return qps.length;
    }

    public int live() {
        return live;
    }
}
