package io.hyperverbs.backend.budget;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The event loops of all domains, and the cores that they share. The kernel divides a core among
 * threads; a domain whose program and whose loop both want it has two. Any thread.
 */
public final class LoopShares {
    /** A loop that worked within this time wants its share. */
    static final long ACTIVE_NANOS = 50_000_000L;

    private final int cores;
    private final List<LoopShare> loops = new CopyOnWriteArrayList<>();

    /**
     * @param cores that loops and programs may use
     */
    public LoopShares(int cores) {
        this.cores = Math.max(1, cores);
    }

    /** The cores of this computer without the one that the HCA's engine takes (docs/adr/0008). */
    public static LoopShares ofThisComputer() {
        return new LoopShares(Runtime.getRuntime().availableProcessors() - 1);
    }

    /** For one more domain; {@link #leave} when it is gone. */
    public LoopShare join() {
        LoopShare share = new LoopShare(this);
        loops.add(share);
        return share;
    }

    public void leave(LoopShare share) {
        loops.remove(share);
    }

    /**
     * What each loop that works now may have of one core: all of it if it is alone, else its part
     * with one part left for programs, which run on the same cores.
     */
    double share(long nowNanos) {
        int active = 0;
        for (LoopShare loop : loops) {
            if (loop.isActive(nowNanos)) {
                active++;
            }
        }
        return active <= 1 ? 1.0 : Math.min(1.0, (double) cores / (active + 1));
    }
}
