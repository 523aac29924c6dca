package io.hyperverbs.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Command line of a program: options with whole numbers, flags, and words. */
final class Arguments {
    private final List<String> left;

    Arguments(String[] args) {
        left = new ArrayList<>(List.of(args));
    }

    /** Takes {@code -s 64} or {@code --size 64} away. */
    int number(String shortName, String longName, int standard, int least) {
        return number(shortName, longName, least).orElse(standard);
    }

    /** The same; empty if it is not given. */
    OptionalInt number(String shortName, String longName, int least) {
        return numberUpTo(shortName, longName, least, Integer.MAX_VALUE);
    }

    /** The same, {@code most} at most. */
    OptionalInt numberUpTo(String shortName, String longName, int least, int most) {
        int at = left.indexOf(shortName);
        if (at < 0) {
            at = left.indexOf(longName);
        }
        if (at < 0) {
            return OptionalInt.empty();
        }
        String value = at + 1 < left.size() ? left.get(at + 1) : "nothing";
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                left.subList(at, at + 2).clear();
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException e) {
            // Answered below, as a number that is too small.
        }
        throw new IllegalArgumentException(left.get(at) + " " + value + ", must be a number from " + least
                + (most == Integer.MAX_VALUE ? "" : " to " + most));
    }

    boolean flag(String shortName, String longName) {
        boolean shortGiven = left.remove(shortName);
        return left.remove(longName) || shortGiven;
    }

    /** What is left when all options have been taken: at most one word. */
    String word() {
        if (left.size() > 1 || (left.size() == 1 && left.getFirst().startsWith("-"))) {
            throw new IllegalArgumentException("cannot make sense of " + String.join(" ", left));
        }
        return left.isEmpty() ? "" : left.getFirst();
    }
}
