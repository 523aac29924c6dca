package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The verbs objects of one side of a round; its queue pairs are in RESET. One thread. */
final class PerfObjects implements AutoCloseable {
    static final Set<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    /** Latency has one message in flight, and not each is signalled. */
    static final int LATENCY_SENDS = 128;

    private static final int PAGE_BYTES = 4096;

    final Context context;
    final ProtectionDomain pd;
    final int halfBytes;
    final MemoryRegion region;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final @Nullable SharedReceiveQueue srq;
    final QueuePair[] queuePairs;

    private final DomainMemory memory;
    private final MemorySegment buffer;
    private final @Nullable CompletionChannel channel;

    PerfObjects(Domain domain, Context context, PerfRound round) throws VerbsException {
        this.context = context;
        memory = domain.memory();
        pd = context.allocatePd();
        halfBytes = (Math.max(round.sizeBytes(), Long.BYTES) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        buffer = memory.allocate(2L * halfBytes + Grh.SIZE_BYTES, PAGE_BYTES);
        region = pd.register(buffer, RIGHTS);
        channel = round.has(PerfFlag.EVENTS) ? context.createChannel() : null;
        PerfQueues queues = round.queues();
        int sends = round.latency() ? LATENCY_SENDS : queues.txDepth();
        int receives = round.receives() ? queues.rxDepth() : 1;
        int receiveQueues = round.has(PerfFlag.SRQ) ? 1 : queues.queuePairs();
        sendCq = context.createCq(sends * queues.queuePairs(), channel);
        receiveCq = context.createCq(receives * receiveQueues, channel);
        srq = round.has(PerfFlag.SRQ) ? pd.createSrq(new SrqLimits(receives, 1)) : null;
        QpLimits limits = new QpLimits(sends, receives, 1, 1, queues.inlineBytes(), false);
        queuePairs = new QueuePair[queues.queuePairs()];
        for (int k = 0; k < queuePairs.length; k++) {
            queuePairs[k] = create(round, limits);
        }
    }

    private QueuePair create(PerfRound round, QpLimits limits) throws VerbsException {
        return switch (round.transport()) {
            case RC ->
                srq == null ? pd.createRc(limits, sendCq, receiveCq) : pd.createRc(limits, sendCq, receiveCq, srq);
            case UC -> pd.createUc(limits, sendCq, receiveCq);
            case UD -> pd.createUd(limits, sendCq, receiveCq);
            case XRC_SEND, XRC_RECV -> throw new IllegalArgumentException(round.transport() + " is not measured");
        };
    }

    PerfCompletions completions() {
        return new PerfCompletions(List.of(sendCq, receiveCq), channel);
    }

    /** Closes all but the queue pairs, which are closed before. */
    @Override
    public void close() throws VerbsException {
        if (srq != null) {
            srq.close();
        }
        receiveCq.close();
        sendCq.close();
        if (channel != null) {
            channel.close();
        }
        region.close();
        memory.free(buffer);
        pd.close();
    }
}
