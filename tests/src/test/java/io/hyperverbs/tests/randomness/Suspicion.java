package io.hyperverbs.tests.randomness;

import java.util.Optional;

/**
 * What is odd about a sequence of numbers. Each figure is in standard deviations of what
 * independent uniform numbers have: beyond {@value #LIMIT} once in 10^11.
 */
final class Suspicion {
    static final double LIMIT = 7;

    private Suspicion() {}

    /** The first thing that is odd about {@code numbers} of so many bits, on their own. */
    static Optional<String> of(int[] numbers, int bits) {
        int[] steps = new int[numbers.length - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = numbers[i + 1] - numbers[i];
        }
        return first(
                bytes("value", numbers, bits),
                bytes("step", steps, bits),
                odd("serial correlation", correlation(numbers, numbers, 1, bits)),
                odd("correlation two apart", correlation(numbers, numbers, 2, bits)));
    }

    /** The same of what one sequence says about another that was drawn in turn with it. */
    static Optional<String> between(int[] one, int[] other, int bits) {
        int[] apart = new int[one.length];
        for (int i = 0; i < apart.length; i++) {
            apart[i] = other[i] - one[i];
        }
        return first(
                bytes("difference", apart, bits),
                odd("correlation", correlation(one, other, 0, bits)),
                odd("correlation with the next", correlation(one, other, 1, bits)));
    }

    @SafeVarargs
    private static Optional<String> first(Optional<String>... found) {
        for (Optional<String> one : found) {
            if (one.isPresent()) {
                return one;
            }
        }
        return Optional.empty();
    }

    /** Chi-square of each byte; too even is as odd as too uneven. */
    private static Optional<String> bytes(String what, int[] numbers, int bits) {
        for (int shift = 0; shift < bits; shift += 8) {
            long[] counts = new long[256];
            for (int number : numbers) {
                counts[number >>> shift & 255]++;
            }
            double expected = numbers.length / 256.0;
            double chi = 0;
            for (long count : counts) {
                chi += (count - expected) * (count - expected) / expected;
            }
            Optional<String> odd = odd("chi-square of byte " + shift / 8 + " of the " + what, normal(chi));
            if (odd.isPresent()) {
                return odd;
            }
        }
        return Optional.empty();
    }

    /** Wilson and Hilferty: a chi-square of 255 degrees of freedom as a normal deviate. */
    private static double normal(double chi) {
        double spread = 2.0 / (9 * 255);
        return (Math.cbrt(chi / 255) - (1 - spread)) / Math.sqrt(spread);
    }

    private static double correlation(int[] one, int[] other, int lag, int bits) {
        double middle = Math.scalb(1.0, bits - 1) - 0.5;
        double variance = Math.scalb(1.0, 2 * bits) / 12;
        int pairs = one.length - lag;
        double sum = 0;
        for (int i = 0; i < pairs; i++) {
            sum += (unsigned(one[i], bits) - middle) * (unsigned(other[i + lag], bits) - middle);
        }
        return sum / variance / Math.sqrt(pairs);
    }

    private static double unsigned(int number, int bits) {
        return number & (-1L >>> (64 - bits));
    }

    private static Optional<String> odd(String what, double deviations) {
        return Math.abs(deviations) > LIMIT
                ? Optional.of("%s: %.1f standard deviations".formatted(what, deviations))
                : Optional.empty();
    }
}
