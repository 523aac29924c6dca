package io.hyperverbs.toolstack.conformance.rig;

import java.util.stream.IntStream;

/**
 * Which rows of an exhaustive table a run looks at: those whose number leaves {@code number} when
 * divided by {@code of}. {@code 0/1} is all of them.
 */
public record TableShare(int number, int of) {
    public static final TableShare ALL = new TableShare(0, 1);

    public TableShare {
        if (of < 1 || number < 0 || number >= of) {
            throw new IllegalArgumentException("share " + number + "/" + of);
        }
    }

    /**
     * Reads {@code N/M}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static TableShare parse(String text) {
        String[] words = text.split("/", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("share " + text + ", must be N/M");
        }
        return new TableShare(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    }

    /** Numbers of the rows that it takes of a table of {@code count}. */
    public int[] rows(int count) {
        return IntStream.range(0, count).filter(row -> row % of == number).toArray();
    }
}
