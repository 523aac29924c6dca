package io.hyperverbs.hca.srq;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.number.IntTable;
import io.hyperverbs.hca.number.RandomNumbers;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Shared receive queues by their random number. Engine thread only. */
public final class SrqTable {
    private static final int QUARANTINE = 1 << 14;

    private final ContextMemory contexts;
    private final @Nullable Srq[] srqs;
    private final IntTable byNumber;
    private final RandomNumbers numbers;
    private int nextIndex = -1;
    private int live;

    public SrqTable(ContextMemory contexts, int maxSrq, RandomGenerator random) {
        this.contexts = contexts;
        this.srqs = new Srq[maxSrq];
        this.byNumber = new IntTable(maxSrq);
        this.numbers = new RandomNumbers(random, maxSrq, QUARANTINE);
    }

    public boolean isFull() {
        return live == srqs.length;
    }

    /** Creates a queue over ring memory whose indexes are 0; the table is not full. */
    public Srq create(SrqPlan plan) {
        do {
            nextIndex = nextIndex == srqs.length - 1 ? 0 : nextIndex + 1;
        } while (srqs[nextIndex] != null);
        int srqn = numbers.take();
        Srq srq = new Srq(nextIndex, srqn, plan, contexts);
        srqs[nextIndex] = srq;
        byNumber.put(srqn, nextIndex);
        live++;
        Cq cq = plan.cq();
        if (cq != null) {
            cq.attach(1);
        }
        return srq;
    }

    public void destroy(Srq srq) {
        srq.close();
        srqs[srq.index()] = null;
        byNumber.remove(srq.srqn());
        numbers.release(srq.srqn());
        Cq cq = srq.cq();
        if (cq != null) {
            cq.attach(-1);
        }
        live--;
    }

    public @Nullable Srq byNumber(int srqn) {
        int index = byNumber.get(srqn);
        return index == IntTable.ABSENT ? null : srqs[index];
    }
}
