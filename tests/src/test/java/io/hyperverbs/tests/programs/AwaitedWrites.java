package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.RdmaWrite;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Writes so often, and sleeps until the event of each write has come. */
public final class AwaitedWrites {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private AwaitedWrites() {}

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Domain domain = Domain.current();
        MemorySegment memory = domain.memory().allocate(64, 64);
        try (Context context = domain.devices().getFirst().open();
                CompletionChannel channel = context.createChannel();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(memory, RIGHTS);
                CompletionQueue cq = context.createCq(16, channel);
                RcQueuePair qp = pd.createRc(QpLimits.of(8, 8), cq, cq)) {
            qp.connect(qp.endpoint(1, region), 1, RIGHTS);
            RdmaWrite write =
                    new RdmaWrite(7, SendFlags.SIGNALLED, List.of(region.sge(0, 8)), region.address(), region.rkey());
            WorkCompletion[] completion = {new WorkCompletion()};
            for (int i = 0; i < count; i++) {
                expect(cq.arm(false));
                expect(qp.postSend(write));
                channel.acknowledge(channel.await(PATIENCE).orElseThrow(), 1);
                if (cq.poll(completion) != 1) {
                    throw new IllegalStateException("event " + i + " came before its completion");
                }
            }
        }
        System.out.println(count + " events");
    }

    private static void expect(VerbsStatus status) {
        if (status != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(status.toString());
        }
    }
}
