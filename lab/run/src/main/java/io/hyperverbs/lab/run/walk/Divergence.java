package io.hyperverbs.lab.run.walk;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The HCA did something else than the specification says.
 *
 * @param step number of the step it showed after, from 0
 */
public record Divergence(int step, String text) {
    private static final Pattern NUMBERS = Pattern.compile("-?[0-9]+");
    private static final int KIND_WORDS = 4;

    /** Whether both are of one kind: the first words without their numbers. */
    public boolean resembles(Divergence other) {
        return kind().equals(other.kind());
    }

    private List<String> kind() {
        String plain = NUMBERS.matcher(text).replaceAll("");
        List<String> words = List.of(plain.split(" ", -1));
        return words.subList(1, Math.min(words.size(), KIND_WORDS));
    }
}
