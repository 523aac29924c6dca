package io.hyperverbs.lab.run.suite;

/**
 * What a figure shows.
 *
 * @param name in options and file names
 * @param paper which figure of which paper it repeats
 * @param axis what x is, such as {@code bytes}; empty if cells have none
 * @param unit of the values
 * @param baseline the series that the others are compared with
 * @param says what is done and timed, in a sentence or two
 */
public record FigureInfo(
        String name, String title, String paper, String axis, String unit, String baseline, String says) {
    /** Whether x is one. */
    boolean hasAxis() {
        return !axis.isEmpty();
    }
}
