package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ArgumentsTest {
    @Test
    void takesOptionsInAnyPlace() {
        Arguments arguments = new Arguments(new String[] {"-s", "64", "b", "--iters", "9", "-e"});

        assertThat(arguments.number("-s", "--size", 1, 1)).isEqualTo(64);
        assertThat(arguments.number("-n", "--iters", 1, 1)).isEqualTo(9);
        assertThat(arguments.number("-r", "--rx-depth", 500, 1)).isEqualTo(500);
        assertThat(arguments.flag("-e", "--events")).isTrue();
        assertThat(arguments.flag("-e", "--events")).isFalse();
        assertThat(arguments.word()).isEqualTo("b");
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThatThrownBy(() -> new Arguments(new String[] {"-s", "x"}).number("-s", "--size", 1, 1))
                .hasMessageContaining("-s x, must be a number from 1");
        assertThatThrownBy(() -> new Arguments(new String[] {"-s"}).number("-s", "--size", 1, 1))
                .hasMessageContaining("nothing");
        assertThatThrownBy(() -> new Arguments(new String[] {"-s", "0"}).number("-s", "--size", 1, 1))
                .hasMessageContaining("from 1");
    }

    @Test
    void refusesWhatIsLeft() {
        assertThatThrownBy(() -> new Arguments(new String[] {"a", "b"}).word()).hasMessageContaining("a b");
        assertThatThrownBy(() -> new Arguments(new String[] {"-z"}).word()).hasMessageContaining("-z");
    }
}
