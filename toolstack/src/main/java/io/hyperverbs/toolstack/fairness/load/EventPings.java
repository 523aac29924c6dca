package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import java.time.Duration;

/** A program that sleeps until its completion is there: arm, write, await the event, poll. */
final class EventPings implements Load {
    private static final int PSN = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Site site;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final RcQueuePair qp;
    private final WorkCompletion[] one = {new WorkCompletion()};

    EventPings(Home home) throws VerbsException {
        site = new Site(home, 4096, 16);
        channel = site.context.createChannel();
        cq = site.context.createCq(64, channel);
        qp = site.pd.createRc(QpLimits.of(16, 1), cq, cq);
        qp.connect(qp.endpoint(PSN, site.region), PSN, Site.RIGHTS);
    }

    @Override
    public void step() throws VerbsException {
        Site.check(cq.arm(false), "arm");
        Site.check(
                qp.sends()
                        .start()
                        .rdmaWrite(
                                1, SendFlags.SIGNALLED, site.region.address(), site.region.rkey())
                        .sge(site.region.lkey(), site.region.address(), 8)
                        .post(),
                "post");
        if (channel.await(PATIENCE).isEmpty()) {
            throw new VerbsException(VerbsStatus.ETIMEDOUT, "no event within 20 s");
        }
        channel.acknowledge(cq, 1);
        if (cq.poll(one) == 0) {
            throw new VerbsException(VerbsStatus.EIO, "an event without a completion");
        }
        Site.check(one[0].status(), "completion");
    }
}
