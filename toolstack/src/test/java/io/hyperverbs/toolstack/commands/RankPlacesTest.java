package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankPlacesTest {
    private static final List<String> GUESTS = List.of("a", "b", "c");

    @Test
    void theFirstGuestsGetOneRankMore() throws HvException {
        assertThat(RankPlaces.place(7, GUESTS).guests()).containsExactly("a", "a", "a", "b", "b", "c", "c");
        assertThat(RankPlaces.place(2, GUESTS).guests()).containsExactly("a", "b");
        assertThat(RankPlaces.place(5, List.of("b", "a")).byGuest())
                .isEqualTo(Map.of("b", List.of(0, 1, 2), "a", List.of(3, 4)));
        assertThat(RankPlaces.place(64, GUESTS).guests()).hasSize(64);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65})
    void aNumberThatCannotBeIsRefused(int ranks) {
        HvException refused = catchThrowableOfType(HvException.class, () -> RankPlaces.place(ranks, GUESTS));

        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(refused).hasMessageContaining("-n " + ranks + ", must be 1 to 64");
    }

    @Test
    void linesOfAGuestAreHandedOnWhole() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineStream lines = new LineStream(out);

        write(lines, "one\ntw");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("one\n");
        lines.write('o');
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("one\n");
        write(lines, "\nthree\nfour");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\nthree\n");
        lines.close();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\nthree\nfour");
    }

    private static void write(LineStream lines, String text) throws Exception {
        lines.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
