package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/**
 * Keeps so many writes under way, as {@code ib_write_bw} of perftest does. A step waits for the
 * oldest quarter and posts as many again, with one doorbell and the last one signalled.
 */
final class WriteStream implements Load {
    private static final int PARTS = 4;

    private final Site site;
    private final Pair pair;
    private final int bytes;
    private final int part;
    private int underWay;

    WriteStream(Home home, int bytes, int depth) throws VerbsException {
        site = new Site(home, Math.max(4096, bytes), 2 * PARTS);
        pair = new Pair(site, depth);
        this.bytes = bytes;
        this.part = depth / PARTS;
    }

    @Override
    public void step() throws VerbsException {
        while (underWay < PARTS) {
            post();
        }
        take();
        post();
    }

    private void post() throws VerbsException {
        pair.active.sends().start();
        for (int i = 1; i <= part; i++) {
            pair.write(bytes, i == part ? SendFlags.SIGNALLED : SendFlags.NONE);
        }
        pair.post();
        underWay++;
    }

    private void take() throws VerbsException {
        site.await();
        underWay--;
    }

    @Override
    public void settle() throws VerbsException {
        while (underWay > 0) {
            take();
        }
    }
}
