package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsException;

/** Victims on the data path: a batch of requests from post to completion. */
final class Transfers {
    private Transfers() {}

    /** So many writes with one doorbell, the last one signalled. */
    static Load writes(Home home, int bytes, int batch) throws VerbsException {
        Site site = new Site(home, Math.max(4096, bytes), 64);
        Pair pair = new Pair(site, batch);
        SendPoster sends = pair.active.sends();
        return () -> {
            sends.start();
            for (int i = 1; i <= batch; i++) {
                sends.rdmaWrite(
                                i,
                                i == batch ? SendFlags.SIGNALLED : SendFlags.NONE,
                                site.region.address(),
                                site.region.rkey())
                        .sge(site.region.lkey(), site.region.address(), bytes);
            }
            Site.check(sends.post(), "post");
            site.await();
        };
    }

    /** A send and its receive. */
    static Load sends(Home home, int bytes) throws VerbsException {
        Site site = new Site(home, 4096, 64);
        Pair pair = new Pair(site, 4);
        return () -> {
            pair.receive(bytes);
            pair.active.sends().start();
            pair.send(bytes, SendFlags.SIGNALLED);
            pair.post();
            site.await();
            site.await();
        };
    }

    static Load atomics(Home home) throws VerbsException {
        Site site = new Site(home, 4096, 64);
        Pair pair = new Pair(site, 4);
        return () -> {
            pair.active.sends().start();
            pair.fetchAndAdd();
            pair.post();
            site.await();
        };
    }
}
