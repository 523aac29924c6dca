package io.hyperverbs.lab.nas;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Rounds of a kernel: so many; or some until it is no faster than before, since compilers work meanwhile, and then those
 * that count. All ranks make as many. One thread.
 */
final class KernelRounds {
    /** Only for a warm run: so long no round was faster. */
    private static final long CALM_NANOS = 1_000_000_000;

    private static final long MOST_WARM_NANOS = 20_000_000_000L;

    /** A time that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private static final int LEAST = 5;
    private static final int MOST = 25;
    private static final long COUNTED_NANOS = 500_000_000;

    private final RankPeers peers;
    private final LongSupplier clock;

    /**
     * @param clock of this rank, in ns
     */
    KernelRounds(RankPeers peers, LongSupplier clock) {
        this.peers = peers;
        this.clock = clock;
    }

    /**
     * What came of the rounds.
     *
     * @param warmUp rounds that do not count
     * @param results of those that do, each verified or not; of a warm run's others those that are wrong, too
     */
    record Outcome(int warmUp, List<NasResult> results) {}

    /** A round, from the beginning. */
    interface Round {
        NasResult run();
    }

    /** So many rounds. */
    Outcome of(int count, Round round) {
        List<NasResult> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(round.run());
        }
        return new Outcome(0, results);
    }

    /** Rounds until it is warm, and then as many as take half a second, 5 to 25. */
    Outcome warm(Round round) {
        List<NasResult> results = new ArrayList<>();
        int warmUp = 0;
        long began = clock.getAsLong();
        long calmSince = began;
        long best = Long.MAX_VALUE;
        boolean isWarm = false;
        while (!isWarm) {
            NasResult result = round.run();
            warmUp++;
            long now = clock.getAsLong();
            if (result.nanos() < FASTER * best) {
                calmSince = now;
            }
            best = Math.min(best, result.nanos());
            if (!result.isVerified()) {
                results.add(result);
            }
            isWarm = firstRankSays(now - calmSince >= CALM_NANOS || now - began >= MOST_WARM_NANOS);
        }
        long counting = clock.getAsLong();
        int counted = 0;
        boolean isDone = false;
        while (!isDone) {
            results.add(round.run());
            counted++;
            boolean isLong = clock.getAsLong() - counting >= COUNTED_NANOS;
            isDone = firstRankSays(counted >= MOST || (counted >= LEAST && isLong));
        }
        return new Outcome(warmUp, results);
    }

    private boolean firstRankSays(boolean yes) {
        return peers.sum(peers.rank() == 0 && yes ? 1.0 : 0.0) > 0;
    }
}
