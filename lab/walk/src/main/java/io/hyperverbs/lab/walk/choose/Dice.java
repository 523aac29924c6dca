package io.hyperverbs.lab.walk.choose;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Chance, from a seed. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** From 0 to below {@code bound}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** From {@code low} to {@code high}, both possible. */
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    long any() {
        return random.nextLong();
    }

    <T> Optional<T> of(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(below(list.size())));
    }
}
