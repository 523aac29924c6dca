package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermsTest {
    private static final OptionalInt ANY = OptionalInt.empty();

    private static Terms terms(int size) {
        return new Terms(OptionalInt.of(size), ANY, ANY);
    }

    @Test
    void aSideThatDoesNotCareTakesTheOthers() {
        Terms silent = new Terms(ANY, OptionalInt.of(7), ANY);

        Terms.Agreed client = terms(64).with(silent, "a", "b");

        assertThat(client).isEqualTo(new Terms.Agreed(64, 7, 5000, ""));
        assertThat(silent.with(terms(64), "b", "a")).isEqualTo(client);
        assertThat(new Terms(ANY, ANY, ANY)
                        .with(new Terms(ANY, ANY, ANY), "a", "b")
                        .sizeBytes())
                .isEqualTo(4096);
    }

    @Test
    void differentNumbersAreADisagreementThatNamesBoth() {
        Terms.Agreed agreed = terms(64).with(terms(128), "a", "b");

        assertThat(agreed.reached()).isFalse();
        assertThat(agreed.disagreement()).isEqualTo("a has -s 64 and b has -s 128");
        assertThat(terms(64).with(terms(64), "a", "b").reached()).isTrue();
    }

    @Test
    void readsBackWhatItWrites() {
        Terms terms = new Terms(OptionalInt.of(1 << 20), ANY, OptionalInt.of(0));

        assertThat(terms.format()).isEqualTo("1048576 - 0");
        assertThat(Terms.parse(terms.format())).isEqualTo(terms);
        assertThat(Call.parse("1f 1048576 - 0")).isEqualTo(new Call("1f", terms));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1 2", "1 2 3 4", "x - -", "0 - -", "- 0 -", "- - -1"})
    void refusesWhatAPeerMustNotSay(String line) {
        assertThatThrownBy(() -> Terms.parse(line)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Call.parse("../x " + line)).isInstanceOf(IllegalArgumentException.class);
    }
}
