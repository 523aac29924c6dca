package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Sends that no receive waits for, retried for ever at the shortest delay. */
final class RnrStorm implements Load {
    private static final int PAIRS = 32;

    private final List<Pair> pairs = new ArrayList<>();
    private boolean storming;

    RnrStorm(Home home) throws VerbsException {
        Site site = new Site(home, 4096, 4 * PAIRS);
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(new Pair(site, 4));
        }
    }

    @Override
    public void step() throws VerbsException {
        if (!storming) {
            storming = true;
            for (Pair pair : pairs) {
                pair.retryForEver();
                pair.active.sends().start();
                pair.send(8, SendFlags.SIGNALLED);
                pair.post();
            }
        }
        LockSupport.parkNanos(1_000_000);
    }

    @Override
    public void settle() throws VerbsException {
        for (Pair pair : pairs) {
            pair.reconnect();
        }
        storming = false;
    }
}
