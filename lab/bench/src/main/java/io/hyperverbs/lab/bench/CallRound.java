package io.hyperverbs.lab.bench;

import java.util.Locale;

/**
 * One round of a sequence, as the toolstack writes it into the store.
 *
 * @param bytes of memory
 * @param iterations at most so many are timed
 * @param warmUp so many before that are not
 * @param millis the round ends after that time too, but not before {@link #LEAST_ITERATIONS}
 */
public record CallRound(CallSequence sequence, int bytes, int iterations, int warmUp, int millis) {
    /** A sequence takes long beside an operation of the data path. */
    static final int LEAST_ITERATIONS = 5;

    /** One line; {@link #parse} reads it back. */
    public String format() {
        return String.format(Locale.ROOT, "%s %d %d %d %d", sequence, bytes, iterations, warmUp, millis);
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static CallRound parse(String line) {
        String[] words = line.strip().split(" ", -1);
        if (words.length != 5) {
            throw new IllegalArgumentException("round of " + words.length + " words: " + line);
        }
        return new CallRound(
                CallSequence.valueOf(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]));
    }
}
