package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.VerbsException;

/** Creates, connects and destroys queue pairs. */
final class QueueStorm implements Load {
    private final Site site;

    QueueStorm(Home home) throws VerbsException {
        site = new Site(home, 4096, 64);
    }

    @Override
    public void step() throws VerbsException {
        new Pair(site, 16).close();
    }
}
