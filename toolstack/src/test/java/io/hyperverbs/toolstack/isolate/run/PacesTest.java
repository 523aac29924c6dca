package io.hyperverbs.toolstack.isolate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.toolstack.isolate.Pace;

import org.junit.jupiter.api.Test;

class PacesTest {
    private final Paces paces = new Paces();

    private static Pace pace(long median, long p99) {
        return Pace.parse("%d %d ".formatted(median, p99).repeat(3).strip());
    }

    @Test
    void ofNoRoundSaysSo() {
        assertThat(paces.excess(false)).contains("nothing was measured");
    }

    @Test
    void slowInEveryRoundIsBeyondItsBound() {
        paces.round(pace(100, 200), pace(201, 200));
        paces.round(pace(100, 200), pace(300, 200));

        assertThat(paces.excess(true)).contains("median of create_qp", "2.01 x");
        assertThat(paces.excess(false)).isNull();
    }

    @Test
    void starvedInEveryRoundIsBeyondAnyBound() {
        paces.round(pace(100, 200), pace(801, 200));
        paces.round(pace(100, 200), pace(900, 200));

        assertThat(paces.excess(false)).contains("median of create_qp", "8.01 x");
    }

    @Test
    void slowInOneRoundIsNoiseOfTheComputer() {
        paces.round(pace(100, 200), pace(900, 900));
        paces.round(pace(100, 200), pace(110, 210));

        assertThat(paces.excess(false)).isNull();
    }

    @Test
    void percentilesCountWhenTheyAreHeld() {
        paces.round(pace(100, 200), pace(100, 500));

        assertThat(paces.excess(false)).isNull();
        assertThat(paces.excess(true)).contains("p99 of create_qp 2.50 x");
    }

    @Test
    void stoppedAttackersCostLess() {
        paces.round(pace(100, 200), pace(100, 260));
        assertThat(paces.excess(true)).isNull();

        paces.heap(10);

        assertThat(paces.excess(true)).contains("p99 of create_qp 1.30 x");
    }

    @Test
    void aHeapThatGrowsByAMebibyteIsBeyondItsBound() {
        paces.round(pace(100, 200), pace(100, 200));
        paces.heap((1 << 20) - 1);
        assertThat(paces.excess(false)).isNull();

        paces.heap(1 << 20);

        assertThat(paces.excess(false)).contains("1024 KiB more");
    }
}
