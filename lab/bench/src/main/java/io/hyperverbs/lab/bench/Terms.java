package io.hyperverbs.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * What one side of a ping-pong asks for; a side that does not care takes what the other has.
 *
 * @param sizeBytes of each message
 * @param iterations round trips that are timed
 * @param warmUp round trips before those
 */
record Terms(OptionalInt sizeBytes, OptionalInt iterations, OptionalInt warmUp) {
    /** All round trips that are timed are kept until the end, 8 bytes each. */
    static final int MOST_ITERATIONS = 1_000_000;

    static final int MOST_WARM_UP = 1_000_000_000;
    private static final int STANDARD_SIZE_BYTES = 4096;
    private static final int STANDARD_ITERATIONS = 1000;

    /** After so many calls the JVM has compiled the loop. */
    private static final int STANDARD_WARM_UP = 5000;

    /**
     * What both sides do.
     *
     * @param disagreement for people; empty if there is none
     */
    record Agreed(int sizeBytes, int iterations, int warmUp, String disagreement) {
        boolean reached() {
            return disagreement.isEmpty();
        }
    }

    /**
     * The same on both sides, but for the message.
     *
     * @param own name of the side with these terms, {@code peer} of the other
     */
    Agreed with(Terms other, String own, String peer) {
        List<String> differences = new ArrayList<>();
        compare("-s", sizeBytes, other.sizeBytes, own, peer, differences);
        compare("-n", iterations, other.iterations, own, peer, differences);
        compare("-w", warmUp, other.warmUp, own, peer, differences);
        return new Agreed(
                first(sizeBytes, other.sizeBytes, STANDARD_SIZE_BYTES),
                first(iterations, other.iterations, STANDARD_ITERATIONS),
                first(warmUp, other.warmUp, STANDARD_WARM_UP),
                String.join(", ", differences));
    }

    private static void compare(
            String option, OptionalInt mine, OptionalInt theirs, String own, String peer, List<String> differences) {
        if (mine.isPresent() && theirs.isPresent() && mine.getAsInt() != theirs.getAsInt()) {
            differences.add(String.format(
                    Locale.ROOT,
                    "%s has %s %d and %s has %s %d",
                    own,
                    option,
                    mine.getAsInt(),
                    peer,
                    option,
                    theirs.getAsInt()));
        }
    }

    private static int first(OptionalInt mine, OptionalInt theirs, int standard) {
        return mine.orElse(theirs.orElse(standard));
    }

    /** Three words, {@code -} for what this side does not care about; {@link #parse} reads it. */
    String format() {
        return word(sizeBytes) + " " + word(iterations) + " " + word(warmUp);
    }

    private static String word(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "-";
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    static Terms parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("terms of " + words.length + " words: " + line);
        }
        return new Terms(
                number(words[0], 1, Integer.MAX_VALUE),
                number(words[1], 1, MOST_ITERATIONS),
                number(words[2], 0, MOST_WARM_UP));
    }

    private static OptionalInt number(String word, int least, int most) {
        if (word.equals("-")) {
            return OptionalInt.empty();
        }
        int number = Integer.parseInt(word);
        if (number < least || number > most) {
            throw new IllegalArgumentException(word + " in the peer's terms, must be " + least + " to " + most);
        }
        return OptionalInt.of(number);
    }
}
