package io.hyperverbs.toolstack.cli;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.topology.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an option that takes several words means. */
public final class Choices {
    private Choices() {}

    /**
     * The number of an option, or {@code standard} if it is not given.
     *
     * @throws HvException USAGE for one below 1
     */
    public static int positive(String option, @Nullable Integer given, int standard) throws HvException {
        if (given != null && given < 1) {
            throw new HvException(
                    ExitCode.USAGE, option + " " + given + ", must be at least 1", "leave it out for " + standard);
        }
        return given == null ? standard : given;
    }

    /**
     * Numbers that an option gives, or {@code standard} if it is not given.
     *
     * @throws HvException USAGE for one below {@code least} or above {@code most}
     */
    public static List<Integer> within(String option, List<Integer> given, int least, int most, List<Integer> standard)
            throws HvException {
        for (int number : given) {
            if (number < least || number > most) {
                throw new HvException(ExitCode.USAGE, option + " " + number + ", must be " + least + " to " + most, "");
            }
        }
        return given.isEmpty() ? standard : given;
    }

    /**
     * Numbers of bytes that an option gives, as {@code 65536} or {@code 64KiB}; {@code standard} if it is not given.
     *
     * @throws HvException USAGE for what is no number of bytes, below {@code least} or above {@code most}
     */
    public static List<Integer> bytesWithin(
            String option, List<String> given, int least, int most, List<Integer> standard) throws HvException {
        List<Integer> bytes = new ArrayList<>();
        for (String size : given) {
            try {
                bytes.add(Math.toIntExact(Units.bytes(size)));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new HvException(
                        ExitCode.USAGE,
                        option + " " + size + ", must be " + least + " to " + most + " bytes",
                        "as in 4096 or 64KiB");
            }
        }
        return within(option, bytes, least, most, standard);
    }

    /**
     * The values of these words, in their own order, whatever order they are given in; all of them
     * if there are no words.
     *
     * @throws HvException USAGE for a word that is none of them
     */
    public static <E> List<E> pick(String option, List<String> words, E[] values, Function<E, String> word)
            throws HvException {
        List<String> known = Arrays.stream(values).map(word).toList();
        for (String given : words) {
            if (!known.contains(given)) {
                throw new HvException(
                        ExitCode.USAGE,
                        option + " " + given + ", must be one of " + String.join(", ", known),
                        Suggestion.hint(given, known));
            }
        }
        return Arrays.stream(values)
                .filter(value -> words.isEmpty() || words.contains(word.apply(value)))
                .toList();
    }
}
