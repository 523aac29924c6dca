package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private final Deadlines<String> deadlines = new Deadlines<>();

    @Test
    void takesThoseWhoseTimeIsOverInTheirOrder() {
        deadlines.set("late", 30);
        deadlines.set("a", 10);
        deadlines.set("b", 10);

        assertThat(deadlines.next()).isEqualTo(10);
        assertThat(deadlines.takeExpired(9)).isNull();
        assertThat(deadlines.takeExpired(10)).isEqualTo("a");
        assertThat(deadlines.takeExpired(10)).isEqualTo("b");
        assertThat(deadlines.takeExpired(10)).isNull();
        assertThat(deadlines.next()).isEqualTo(30);
    }

    @Test
    void keepsTheLastDeadlineOfEach() {
        deadlines.set("a", 10);
        deadlines.set("a", 20);
        deadlines.clear("nobody");

        assertThat(deadlines.takeExpired(10)).isNull();
        assertThat(deadlines.takeExpired(20)).isEqualTo("a");
        assertThat(deadlines.takeExpired(20)).isNull();
    }

    @Test
    void forgetsWhatIsCleared() {
        deadlines.set("a", 10);

        deadlines.clear("a");

        assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
        assertThat(deadlines.takeExpired(10)).isNull();
    }
}
