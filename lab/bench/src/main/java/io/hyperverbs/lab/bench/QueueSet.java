package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Queue pairs of one domain, each connected to itself, so that nobody but the HCA has a part in what they do. All have one
 * CQ. One thread.
 */
final class QueueSet implements AutoCloseable {
    /** Of each message. */
    static final int BYTES = 64;

    /** Writes that one doorbell brings; the last of them is signalled. */
    static final int BATCH = 8;

    /** Batches in flight on one queue pair, and on all of them together. */
    private static final int DEEP = 4;

    private static final int MOST_BATCHES = 16;

    private static final int PSN = 7;

    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final Context context;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final List<RcQueuePair> queuePairs = new ArrayList<>();
    private final Poll poll = new Poll();

    QueueSet(Domain domain, DataPathKind path) throws VerbsException {
        context = domain.devices().getFirst().open(path);
        pd = context.allocatePd();
        region = pd.register(domain.memory().allocate(2 * BYTES, 4096), RIGHTS);
        cq = context.createCq(2 * MOST_BATCHES, null);
    }

    /** Makes or destroys queue pairs until there are so many. */
    void hold(int count) throws VerbsException {
        while (queuePairs.size() > count) {
            queuePairs.removeLast().close();
        }
        while (queuePairs.size() < count) {
            RcQueuePair made = pd.createRc(QpLimits.of(BATCH * DEEP, 1), cq, cq);
            queuePairs.add(made);
            made.connect(made.endpoint(PSN, region), PSN, RIGHTS);
        }
    }

    /**
     * Writes, a batch on each queue pair in turn, until {@code endNanos}; returns when all have completed.
     *
     * @return how many
     */
    long stream(long endNanos) throws BenchFailure {
        int all = queuePairs.size();
        if (all == 0) {
            throw new BenchFailure("no queue pair to write on");
        }
        int[] inFlight = new int[all];
        int batches = 0;
        long posted = 0;
        for (int next = 0; System.nanoTime() - endNanos < 0; next = (next + 1) % all) {
            while (batches == MOST_BATCHES || inFlight[next] == DEEP) {
                inFlight[(int) poll.next(cq).wrId()]--;
                batches--;
            }
            post(next);
            inFlight[next]++;
            batches++;
            posted += BATCH;
        }
        for (; batches > 0; batches--) {
            WorkCompletion _ = poll.next(cq);
        }
        return posted;
    }

    private void post(int index) throws BenchFailure {
        SendPoster sends = queuePairs.get(index).sends().start();
        for (int i = 0; i < BATCH; i++) {
            int flags = i == BATCH - 1 ? SendFlags.SIGNALLED : 0;
            sends.rdmaWrite(index, flags, region.address() + BYTES, region.rkey())
                    .sge(region.lkey(), region.address(), BYTES);
        }
        Poll.check(sends.post());
    }

    @Override
    public void close() throws VerbsException {
        hold(0);
        cq.close();
        region.close();
        pd.close();
        context.close();
    }
}
