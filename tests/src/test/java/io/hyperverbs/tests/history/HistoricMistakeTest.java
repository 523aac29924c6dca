package io.hyperverbs.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What keeps a mistake out has to be there. */
class HistoricMistakeTest {
    private static final int MISTAKES = 18;

    @Test
    void everyNumberHasAnEntry() {
        assertThat(Arrays.stream(HistoricMistake.values()).map(HistoricMistake::number))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, MISTAKES).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource(HistoricMistake.class)
    void isHeldOffByTestsThatExist(HistoricMistake mistake) throws IOException {
        Proofs proofs = new Proofs();

        assertThat(mistake.proofs()).isNotEmpty();
        for (String proof : mistake.proofs()) {
            proofs.expect(proof);
        }
    }
}
