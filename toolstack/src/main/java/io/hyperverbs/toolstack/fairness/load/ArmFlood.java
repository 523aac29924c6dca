package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;

/** An event for each completion, which nobody waits for: arm, write, poll, and so on. */
final class ArmFlood implements Load {
    private static final int PSN = 7;

    private final Site site;
    private final CompletionQueue cq;
    private final RcQueuePair qp;
    private final WorkCompletion[] one = {new WorkCompletion()};

    ArmFlood(Home home) throws VerbsException {
        site = new Site(home, 4096, 16);
        CompletionChannel channel = site.context.createChannel();
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
        while (cq.poll(one) == 0) {
            Thread.onSpinWait();
        }
    }
}
