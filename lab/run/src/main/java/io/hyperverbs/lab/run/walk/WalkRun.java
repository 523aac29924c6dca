package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.choose.StepChooser;
import io.hyperverbs.launcher.failure.HvException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A walk: rounds of steps, each from an empty state on and with a seed of its own, up to the first
 * divergence, which is made short.
 */
public final class WalkRun {
    /** Steps of one round: enough to fill all slots many times, and soon made short. */
    public static final int ROUND_STEPS = 1000;

    private static final int LONGEST_BURST = 64;

    private final WalkTarget field;
    private final Duration shrinkLimit;

    /**
     * @param shrinkLimit how long making a divergence short may take
     */
    public WalkRun(WalkTarget field, Duration shrinkLimit) {
        this.field = field;
        this.shrinkLimit = shrinkLimit;
    }

    /** Takes part in a walk. */
    @FunctionalInterface
    public interface Watcher {
        /** So many more steps were made without a divergence. */
        void walked(int steps);
    }

    /**
     * A divergence with the sequence that leads to it.
     *
     * @param round number of the round
     * @param whole the round up to the divergence
     * @param shortest empty if the round did not diverge again
     */
    public record Found(long round, Conductor.Outcome whole, Optional<Conductor.Outcome> shortest) {
        /** The shorter of both. */
        public Conductor.Outcome best() {
            return shortest.orElse(whole);
        }
    }

    /** Walks {@code steps} steps, of the rounds from {@code firstRound} on. */
    public Optional<Found> run(long seed, long firstRound, long steps, Watcher watcher) throws HvException {
        Conductor conductor = conductor(field.unhurried(), LONGEST_BURST);
        long left = steps;
        for (long round = firstRound; left > 0; round++) {
            int limit = (int) Math.min(left, ROUND_STEPS);
            Conductor.Outcome outcome = conductor.run(new StepChooser(roundSeed(seed, round)), limit);
            if (outcome.divergence().isPresent()) {
                return Optional.of(new Found(round, outcome, shorten(outcome)));
            }
            left -= limit;
            watcher.walked(limit);
        }
        return Optional.empty();
    }

    private Optional<Conductor.Outcome> shorten(Conductor.Outcome outcome) throws HvException {
        // Step by step if it shows that way too: then what is made ends at the divergence.
        for (int burst : new int[] {1, LONGEST_BURST}) {
            Conductor quick = conductor(field.hurried(), burst);
            Shrinker shrinker = new Shrinker(quick, outcome.divergence().orElseThrow(), shrinkLimit.toNanos());
            Optional<Conductor.Outcome> shortest = shrinker.shrink(outcome.steps());
            if (shortest.isPresent()) {
                return shortest;
            }
        }
        return Optional.empty();
    }

    /** Runs a sequence again, step by step. */
    public Conductor.Outcome replay(WalkFile file) throws HvException {
        return conductor(field.unhurried(), 1)
                .run(file.source(), Math.max(1, file.steps().size()));
    }

    private Conductor conductor(Duration patience, int longestBurst) {
        return new Conductor(field, patience, longestBurst);
    }

    private static long roundSeed(long seed, long round) {
        return new SplittableRandom(seed ^ round * 0x9e37_79b9_7f4a_7c15L).nextLong();
    }
}
