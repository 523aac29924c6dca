package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.IsolationCase.Timing;
import io.hyperverbs.lab.attacks.VerbPace;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacesTest {
    private final Paces paces = new Paces();

    private static VerbPace pace(long median, long p99) {
        return VerbPace.parse("%d %d ".formatted(median, p99).repeat(3).strip());
    }

    private void round(VerbPace calm, VerbPace beside) {
        paces.calm(List.of(calm));
        paces.beside(List.of(beside));
    }

    private void rounds(VerbPace calm, VerbPace asking, VerbPace beside) {
        for (int i = 0; i < 9; i++) {
            paces.calm(List.of(calm));
            paces.asking(List.of(asking));
            paces.beside(List.of(beside));
        }
    }

    @Test
    void ofNoRoundSaysSo() {
        paces.calm(List.of(pace(100, 200)));

        assertThat(paces.excess(false, Timing.PERCENTILES)).contains("nothing was measured");
    }

    @Test
    void verbsThatAreNotDoneAreBeyondTheBoundOfAShortRunToo() {
        round(pace(100, 200), pace(100, 200));
        paces.starved();

        assertThat(paces.excess(false, Timing.MEDIANS)).isEqualTo("verbs of others were not done within 60 s");
    }

    @Test
    void slowInMostRoundsIsBeyondItsBound() {
        round(pace(100, 200), pace(201, 200));
        round(pace(100, 200), pace(110, 200));
        round(pace(100, 200), pace(300, 200));

        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("median of create_qp 2.01 x", "3 rounds");
        assertThat(paces.excess(false, Timing.PERCENTILES)).isNull();
    }

    @Test
    void timesOfAShortRunAreShownAndNotJudged() {
        round(pace(100, 200), pace(801, 200));
        round(pace(100, 200), pace(900, 200));

        assertThat(paces.excess(false, Timing.PERCENTILES)).isNull();
        assertThat(paces.words(false)).contains("create_qp 8.5", "2 rounds, not judged");
        assertThat(paces.words(true)).contains("(2 rounds)");
    }

    @Test
    void slowInOneRoundIsNoiseOfTheComputer() {
        round(pace(100, 200), pace(900, 900));
        round(pace(100, 200), pace(110, 210));
        round(pace(100, 200), pace(110, 210));

        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
    }

    @Test
    void percentilesCountWhenTheyAreHeld() {
        for (int i = 0; i < 9; i++) {
            round(pace(100, 200), pace(100, 500));
        }

        assertThat(paces.excess(false, Timing.PERCENTILES)).isNull();
        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("p99 of create_qp 2.50 x");
        assertThat(paces.excess(true, Timing.MEDIANS)).isNull();
    }

    @Test
    void percentilesThatDifferAsCalmOnesDoAreNotJudged() {
        round(pace(100, 200), pace(100, 500));
        round(pace(100, 500), pace(100, 200));
        round(pace(100, 200), pace(100, 500));

        assertThat(paces.words(true)).contains("create_qp 1.00/2.50");
        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
    }

    @Test
    void aRoundIsComparedWithTheCalmBeforeIt() {
        round(pace(100, 200), pace(100, 300));
        round(pace(300, 600), pace(300, 900));

        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
        assertThat(paces.words(true)).contains("create_qp 1.00/1.50", "(2 rounds)");
    }

    @Test
    void mediansAreComparedWithOneWhoAsksAndPercentilesWithACalmOne() {
        rounds(pace(100, 200), pace(200, 900), pace(300, 300));
        assertThat(paces.words(true)).contains("create_qp 1.50/1.50");
        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
    }

    @Test
    void slowBesideOneWhoAsksAlreadyIsBeyondTheBoundOfPercentiles() {
        rounds(pace(100, 200), pace(200, 500), pace(200, 500));
        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("p99 of create_qp 2.50 x");
    }

    @Test
    void slowerThanBesideOneWhoAsksIsBeyondTheBoundOfMedians() {
        rounds(pace(100, 200), pace(200, 200), pace(402, 402));
        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("median of create_qp 2.01 x");
    }

    @Test
    void whoAskedInAnotherRoundIsNotComparedWith() {
        paces.calm(List.of(pace(100, 200)));
        paces.asking(List.of(pace(200, 200)));
        paces.asking(List.of());
        paces.beside(List.of(pace(150, 200)));

        assertThat(paces.words(true)).contains("create_qp 1.50/1.00");
        paces.asking(List.of(pace(200, 200)));
        round(pace(100, 200), pace(150, 200));
        assertThat(paces.words(true)).contains("create_qp 1.50/1.00", "(2 rounds)");
    }

    @Test
    void whatIsMeasuredBeforeAnyCalmIsNoRound() {
        paces.beside(List.of(pace(900, 900)));

        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("nothing was measured");
        assertThat(paces.words(true)).isEqualTo("no rounds");
    }

    @Test
    void stoppedAttackersCostLess() {
        for (int i = 0; i < 10; i++) {
            round(pace(100, 200 + i), pace(100, 260 + i));
        }
        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();

        paces.heap(10);

        assertThat(paces.excess(true, Timing.PERCENTILES)).contains("p99 of create_qp 1.29 x");
    }

    @Test
    void ofAStopWhatChanceMayMakeIsNotJudgedEither() {
        round(pace(100, 200), pace(100, 260));
        round(pace(100, 300), pace(100, 210));
        round(pace(100, 200), pace(100, 270));
        paces.heap(10);

        assertThat(paces.words(true)).contains("create_qp 1.00/1.30");
        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
    }

    @Test
    void stopsAreComparedWithAllCalmStretchesTogether() {
        paces.calm(List.of(pace(100, 150)));
        round(pace(100, 200), pace(100, 260));
        paces.beside(List.of(pace(100, 260)));
        paces.heap(10);
        paces.calm(List.of(pace(100, 230)));
        paces.calm(List.of(pace(100, 230)));

        assertThat(paces.excess(true, Timing.PERCENTILES)).isNull();
        assertThat(paces.words(true)).contains("create_qp 1.00/1.13", "(2 rounds)");
    }

    @Test
    void aHeapThatGrowsByAMebibyteIsBeyondItsBound() {
        round(pace(100, 200), pace(100, 200));
        paces.heap((1 << 20) - 1);
        assertThat(paces.excess(false, Timing.PERCENTILES)).isNull();

        paces.heap(1 << 20);

        assertThat(paces.excess(false, Timing.PERCENTILES)).contains("1024 KiB more");
    }
}
