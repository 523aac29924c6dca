package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import java.util.Locale;

/**
 * One round of a benchmark, as the toolstack writes it into the store.
 *
 * @param active whether this domain posts and takes the time, or answers
 * @param sizeBytes of each message
 * @param iterations at most so many are timed
 * @param warmUp so many before that are not
 * @param millis the round ends after that time too, but not before {@link #LEAST_ITERATIONS}
 */
public record BenchRound(
        boolean active, DataPathKind path, BenchVerb verb, int sizeBytes, int iterations, int warmUp, int millis) {
    /** Fewer samples make no distribution. */
    public static final int LEAST_ITERATIONS = 20;

    /** The side that answers messages of so many bytes. */
    static BenchRound answers(int sizeBytes) {
        return new BenchRound(false, DataPathKind.BYPASS, BenchVerb.SEND, sizeBytes, 0, 0, 0);
    }

    /** The warm-up ends after that time too: operations of a slow path are warm sooner. */
    long warmUpNanos() {
        return millis * 1_000_000L / 4;
    }

    /** One line; {@link #parse} reads it back. */
    public String format() {
        return String.format(
                Locale.ROOT,
                "%s %s %s %d %d %d %d",
                active ? "active" : "passive",
                path,
                verb,
                sizeBytes,
                iterations,
                warmUp,
                millis);
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static BenchRound parse(String line) {
        String[] words = line.strip().split(" ", -1);
        if (words.length != 7) {
            throw new IllegalArgumentException("round of " + words.length + " words: " + line);
        }
        return new BenchRound(
                words[0].equals("active"),
                DataPathKind.valueOf(words[1]),
                BenchVerb.valueOf(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]));
    }
}
