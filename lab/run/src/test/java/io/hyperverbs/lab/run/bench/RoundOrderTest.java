package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundOrderTest {
    private static final List<String> COMPARED = List.of("native", "bypass", "forwarded");

    @Test
    void eachIsFirstInItsTurn() {
        assertThat(RoundOrder.of(COMPARED, 0)).containsExactly("native", "bypass", "forwarded");
        assertThat(RoundOrder.of(COMPARED, 1)).containsExactly("bypass", "forwarded", "native");
        assertThat(RoundOrder.of(COMPARED, 2)).containsExactly("forwarded", "native", "bypass");
        assertThat(RoundOrder.of(COMPARED, 3)).isEqualTo(COMPARED);
    }
}
