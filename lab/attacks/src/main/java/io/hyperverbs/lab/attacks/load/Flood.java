package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps queue pairs full, so that the HCA always has work, and sleeps while they are: it takes the
 * engine, not the processor that the victim runs on.
 */
final class Flood implements Load {
    private static final long PAUSE_NANOS = 100_000;

    /** Adds one request to the batch. */
    private interface Request {
        void add(Pair pair, int flags) throws VerbsException;
    }

    private final Site site;
    private final List<Pair> pairs;
    private final Map<Integer, Pair> byQpn = new HashMap<>();
    private final Request request;
    private final int signalEvery;

    private Flood(Site site, List<Pair> pairs, int signalEvery, Request request) {
        this.site = site;
        this.pairs = pairs;
        this.signalEvery = signalEvery;
        this.request = request;
        pairs.forEach(pair -> byQpn.put(pair.active.qpn(), pair));
    }

    static Load writes(Home home, int count, int depth, int bytes) throws VerbsException {
        Site site = new Site(home, Math.max(4096, bytes), 2 * count * depth);
        // The depth of a small one is in requests that complete a quarter at a time.
        int every = depth >= 64 ? depth / 4 : 1;
        return new Flood(site, pairs(site, count, depth), every, (pair, flags) -> pair.write(bytes, flags));
    }

    static Load reads(Home home, int count, int depth, int bytes) throws VerbsException {
        Site site = new Site(home, bytes, 2 * count * depth);
        return new Flood(site, pairs(site, count, depth), 1, (pair, flags) -> pair.read(bytes, flags));
    }

    static Load sends(Home home, int count, int depth, int bytes) throws VerbsException {
        Site site = new Site(home, bytes, 4 * count * depth);
        return new Flood(site, pairs(site, count, depth), 1, (pair, flags) -> {
            pair.receive(bytes);
            pair.send(bytes, flags);
        });
    }

    /** A request on each queue pair, each to a region of its own, again and again. */
    static Load inTurn(Home home, int count) throws VerbsException {
        Site site = new Site(home, 4096L * count, 16 * count);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemoryRegion own = site.pd.register(site.memory.asSlice(4096L * i, 4096), Site.RIGHTS);
            pairs.add(new Pair(site, own, 8));
        }
        return new Flood(site, pairs, 1, (pair, flags) -> pair.write(8, flags));
    }

    private static List<Pair> pairs(Site site, int count, int depth) throws VerbsException {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pairs.add(new Pair(site, depth));
        }
        return pairs;
    }

    @Override
    public void step() throws VerbsException {
        take();
        boolean posted = false;
        for (Pair pair : pairs) {
            int free = pair.depth - (int) (pair.posted - pair.done);
            if (4 * free >= pair.depth) {
                post(pair, free);
                posted = true;
            }
        }
        if (!posted) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void post(Pair pair, int count) throws VerbsException {
        pair.active.sends().start();
        for (int i = 0; i < count; i++) {
            pair.posted++;
            request.add(pair, pair.posted % signalEvery == 0 ? SendFlags.SIGNALLED : SendFlags.NONE);
        }
        Site.check(pair.active.sends().post(), "post");
    }

    private void take() throws VerbsException {
        while (site.poll()) {
            Site.check(site.completion().status(), "completion");
            Pair pair = byQpn.get(site.completion().qpn());
            if (pair != null) {
                pair.done += signalEvery;
            }
        }
    }

    @Override
    public void settle() throws VerbsException {
        // Up to the next completion of each, so that what was posted before it is done too.
        for (Pair pair : pairs) {
            int left = (int) (pair.posted % signalEvery);
            if (left > 0) {
                post(pair, signalEvery - left);
            }
        }
        long giveUp = System.nanoTime() + 20_000_000_000L;
        while (pairs.stream().anyMatch(pair -> pair.done < pair.posted)) {
            take();
            LockSupport.parkNanos(PAUSE_NANOS);
            if (System.nanoTime() - giveUp > 0) {
                throw new VerbsException(VerbsStatus.ETIMEDOUT, "the flood does not end");
            }
        }
    }
}
