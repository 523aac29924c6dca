package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;

/** Forged keys: both ends go to ERR, what is queued is flushed, and they connect anew. */
final class ErrorStorm implements Load {
    private static final int PAIRS = 4;
    private static final int DEPTH = 64;

    private final Site site;
    private final List<Pair> pairs = new ArrayList<>();

    ErrorStorm(Home home) throws VerbsException {
        site = new Site(home, 4096, 4 * PAIRS * DEPTH);
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(new Pair(site, DEPTH));
        }
    }

    @Override
    public void step() throws VerbsException {
        for (Pair pair : pairs) {
            for (int i = 0; i < DEPTH; i++) {
                Site.check(
                        pair.active
                                .sends()
                                .start()
                                .rdmaWrite(i, SendFlags.SIGNALLED, pair.region.address(), ~pair.region.rkey())
                                .sge(pair.region.lkey(), pair.region.address(), 8)
                                .post(),
                        "post");
            }
        }
        long giveUp = System.nanoTime() + 20_000_000_000L;
        for (int left = PAIRS * DEPTH; left > 0; ) {
            if (site.poll()) {
                left--;
            } else if (System.nanoTime() - giveUp > 0) {
                throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion of an error");
            }
        }
        for (Pair pair : pairs) {
            pair.reconnect();
        }
    }
}
