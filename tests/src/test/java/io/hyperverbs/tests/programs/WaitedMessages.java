package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.CompletionWaiter;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.Send;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends messages to itself at irregular times, and waits for each by a {@link CompletionWaiter} on a virtual thread.
 * Arguments: how many, and the seed of the times.
 */
public final class WaitedMessages {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int RECEIVES = 32;
    private static final int LONGEST_PAUSE_NANOS = 400_000;
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);

    private WaitedMessages() {}

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Domain domain = Domain.current();
        try (Context context = domain.devices().getFirst().open();
                CompletionChannel channel = context.createChannel();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(domain.memory().allocate(64, 64), RIGHTS);
                CompletionQueue sent = context.createCq(16, null);
                CompletionQueue received = context.createCq(2 * RECEIVES, channel);
                RcQueuePair qp = pd.createRc(QpLimits.of(8, RECEIVES), sent, received)) {
            qp.connect(qp.endpoint(1, region), 1, RIGHTS);
            for (int i = 0; i < RECEIVES; i++) {
                expect(qp.postReceive(receive(region, i)));
            }
            FutureTask<Integer> receiver =
                    new FutureTask<>(() -> receive(qp, region, new CompletionWaiter(received, channel), count));
            Thread.ofVirtual().name("receiver").start(receiver);
            send(qp, sent, new Send(0, SendFlags.SIGNALLED, List.of(region.sge(0, 8))), args);
            System.out.println(receiver.get() + " messages");
        }
    }

    private static void send(RcQueuePair qp, CompletionQueue sent, Send message, String... args) throws VerbsException {
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
        WorkCompletion[] one = {new WorkCompletion()};
        for (int left = Integer.parseInt(args[0]); left > 0; left--) {
            if (random.nextBoolean()) {
                LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_NANOS));
            }
            expect(qp.postSend(message));
            if (sent.await(one) != 1 || one[0].status() != VerbsStatus.SUCCESS) {
                throw new IllegalStateException(one[0].explain());
            }
        }
    }

    private static int receive(RcQueuePair qp, MemoryRegion region, CompletionWaiter waiter, int count)
            throws VerbsException {
        WorkCompletion[] one = {new WorkCompletion()};
        for (int next = 0; next < count; next++) {
            if (waiter.await(one, PATIENCE) != 1 || one[0].wrId() != next) {
                throw new IllegalStateException("message " + next + ": " + one[0]);
            }
            expect(qp.postReceive(receive(region, next + RECEIVES)));
        }
        return count;
    }

    private static ReceiveWorkRequest receive(MemoryRegion region, int wrId) {
        return new ReceiveWorkRequest(wrId, List.of(region.sge(8, 8)));
    }

    private static void expect(VerbsStatus status) {
        if (status != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(status.toString());
        }
    }
}
