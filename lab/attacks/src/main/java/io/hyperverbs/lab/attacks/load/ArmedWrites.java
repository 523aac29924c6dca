package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/** A queue pair connected to itself whose completions raise events. One thread. */
final class ArmedWrites {
    private static final int PSN = 7;

    final CompletionChannel channel;
    final CompletionQueue cq;
    private final Site site;
    private final RcQueuePair qp;

    ArmedWrites(Home home) throws VerbsException {
        site = new Site(home, 4096, 16);
        channel = site.context.createChannel();
        cq = site.context.createCq(64, channel);
        qp = site.pd.createRc(QpLimits.of(16, 1), cq, cq);
        qp.connect(qp.endpoint(PSN, site.region), PSN, Site.RIGHTS);
    }

    /** Arms the queue and posts a write of 8 bytes. */
    void armAndPost() throws VerbsException {
        Site.check(cq.arm(false), "arm");
        Site.check(
                qp.sends()
                        .start()
                        .rdmaWrite(1, SendFlags.SIGNALLED, site.region.address(), site.region.rkey())
                        .sge(site.region.lkey(), site.region.address(), 8)
                        .post(),
                "post");
    }
}
