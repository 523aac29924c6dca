package io.hyperverbs.launcher.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    private static final List<String> WORDS = List.of("memory", "weight", "quota", "qp");

    @ParameterizedTest
    @CsvSource({"memroy, memory", "wieght, weight", "qouta, quota", "cp, qp", "Memory, memory"})
    void findsTheNearWord(String word, String meant) {
        assertThat(Suggestion.closest(word, WORDS)).contains(meant);
    }

    @Test
    void saysNothingAboutFarWords() {
        assertThat(Suggestion.closest("elephant", WORDS)).isEmpty();
        assertThat(Suggestion.hint("elephant", WORDS)).isEmpty();
        assertThat(Suggestion.closest("x", List.of())).isEmpty();
    }

    @Test
    void saysAllThereAreWhereNoneIsNear() {
        assertThat(Suggestion.hintOrAll("elephant", WORDS)).isEqualTo("there are memory, weight, quota, qp");
        assertThat(Suggestion.hintOrAll("memroy", WORDS)).isEqualTo("did you mean 'memory'?");
    }

    @ParameterizedTest
    @CsvSource({"'', abc, 3", "abc, abc, 0", "abc, acb, 1", "abc, ab, 1", "abc, xbc, 1", "ca, abc, 3"})
    void countsSteps(String left, String right, int steps) {
        assertThat(Suggestion.distance(left, right)).isEqualTo(steps);
        assertThat(Suggestion.distance(right, left)).isEqualTo(steps);
    }
}
