package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
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
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Work requests whose program sleeps until the event of their completion, on a queue pair connected to itself: nobody
 * but the HCA has a part in it. Timed from arming the queue to the poll that returns the completion. One thread.
 */
final class EventSteps implements CallSteps {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BYTES = 8;
    private static final int DEPTH = 16;
    private static final int PSN = 7;

    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final Context context;
    private final ProtectionDomain pd;
    private final MemoryRegion region;
    private final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final RcQueuePair qp;
    private final Poll poll = new Poll();

    EventSteps(Domain domain) throws VerbsException {
        context = domain.devices().getFirst().open(DataPathKind.BYPASS);
        pd = context.allocatePd();
        region = pd.register(domain.memory().allocate(2 * BYTES, 4096), RIGHTS);
        channel = context.createChannel();
        sendCq = context.createCq(DEPTH, channel);
        receiveCq = context.createCq(DEPTH, channel);
        qp = pd.createRc(QpLimits.of(DEPTH, DEPTH), sendCq, receiveCq);
        qp.connect(qp.endpoint(PSN, region), PSN, RIGHTS);
    }

    @Override
    public void once(CallRound round, long[] into, int from) throws VerbsException, BenchFailure {
        switch (round.sequence()) {
            case WRITE -> into[from] = write();
            case SEND -> into[from] = send();
            case MR, PD, CQ, QP, FIRST, CYCLE, STEPS, MANY ->
                throw new BenchFailure(round.sequence() + " has no completion event");
        }
    }

    private long write() throws VerbsException, BenchFailure {
        long begunNanos = System.nanoTime();
        Poll.check(sendCq.arm(false));
        SendPoster sends = qp.sends().start();
        Poll.check(sends.rdmaWrite(1, SendFlags.SIGNALLED, region.address() + BYTES, region.rkey())
                .sge(region.lkey(), region.address(), BYTES)
                .post());
        await(sendCq);
        return System.nanoTime() - begunNanos;
    }

    private long send() throws VerbsException, BenchFailure {
        Poll.check(qp.receives()
                .start()
                .receive(0)
                .sge(region.lkey(), region.address() + BYTES, BYTES)
                .post());
        long begunNanos = System.nanoTime();
        Poll.check(receiveCq.arm(false));
        SendPoster sends = qp.sends().start();
        Poll.check(sends.send(1, SendFlags.SIGNALLED)
                .sge(region.lkey(), region.address(), BYTES)
                .post());
        await(receiveCq);
        long nanos = System.nanoTime() - begunNanos;
        // The sender's own completion gives no event: its queue is not armed.
        WorkCompletion _ = poll.next(sendCq);
        return nanos;
    }

    private void await(CompletionQueue queue) throws VerbsException, BenchFailure {
        if (channel.await(PATIENCE).isEmpty()) {
            throw new BenchFailure("no event within " + PATIENCE.toSeconds() + " s of " + queue.describe());
        }
        channel.acknowledge(queue, 1);
        WorkCompletion _ = poll.next(queue);
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        receiveCq.close();
        sendCq.close();
        channel.close();
        region.close();
        pd.close();
        context.close();
    }
}
