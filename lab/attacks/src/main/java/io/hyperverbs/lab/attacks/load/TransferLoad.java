package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/** Victims on the data path: a request from post to completion. */
final class TransferLoad {
    private TransferLoad() {}

    static Load writes(Home home, int bytes) throws VerbsException {
        Site site = new Site(home, 4096, 64);
        Pair pair = new Pair(site, 4);
        return () -> {
            pair.active.sends().start();
            pair.write(bytes, SendFlags.SIGNALLED);
            pair.post();
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
