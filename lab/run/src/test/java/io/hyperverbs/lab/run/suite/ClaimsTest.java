package io.hyperverbs.lab.run.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.lab.run.suite.upper.SuiteFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    private static final Claim COSTS_NOTHING = claim(0, 1.10);

    private static Claim claim(double least, double most) {
        return new Claim("a claim", "§6", "1.00", "latency", "write", 60, "bypass", "native", least, most);
    }

    private static ClaimVerdict judge(Claim claim, FigureData figure) {
        return Claims.judge(claim, List.of(figure));
    }

    /** A round of each ratio. */
    private static FigureData of(double... ratios) {
        List<FigureRound> rounds = new ArrayList<>();
        for (int i = 0; i < ratios.length; i++) {
            rounds.add(MadeFigure.round("write", 64, i, Map.of("native", 1.0, "bypass", ratios[i])));
        }
        return new FigureData(MadeFigure.info("latency"), rounds);
    }

    @Test
    void holdsWithinTheBound() {
        ClaimVerdict verdict = judge(COSTS_NOTHING, MadeFigure.latency(1.02));

        assertThat(verdict.outcome()).isEqualTo(ClaimVerdict.Outcome.HELD);
        assertThat(verdict.why()).contains("1.02", "at most 1.10");
        // The nearest cell there is.
        assertThat(verdict.ratio()).isNotNull();
        assertThat(verdict.ratio().cell()).isEqualTo(new FigureCell("write", 64));
    }

    @Test
    void doesNotHoldBeyondIt() {
        assertThat(judge(COSTS_NOTHING, MadeFigure.latency(1.3)).outcome()).isEqualTo(ClaimVerdict.Outcome.NOT_HELD);
        assertThat(judge(claim(2, Double.POSITIVE_INFINITY), MadeFigure.latency(1.3))
                        .outcome())
                .isEqualTo(ClaimVerdict.Outcome.NOT_HELD);
        assertThat(judge(claim(1.2, 1.4), MadeFigure.latency(1.3)).outcome()).isEqualTo(ClaimVerdict.Outcome.HELD);
    }

    @Test
    void isNoResultWhereTheSpreadReachesOverTheBound() {
        ClaimVerdict verdict = judge(COSTS_NOTHING, of(1.0, 1.05, 1.09, 1.2, 1.25));

        assertThat(verdict.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
        assertThat(verdict.why()).contains("within its spread");
    }

    @Test
    void unsteadyRoundsDecideIfAllLieOnOneSide() {
        Claim several = claim(2, Double.POSITIVE_INFINITY);

        ClaimVerdict held = judge(several, of(60, 350, 115, 280));
        ClaimVerdict notHeld = judge(COSTS_NOTHING, of(1.2, 5, 54, 12));
        ClaimVerdict below = judge(several, of(0.1, 0.5, 1.9, 1.2));
        ClaimVerdict between = judge(claim(0.5, 9), of(0.5, 2, 9, 5));

        assertThat(held.ratio()).isNotNull();
        assertThat(held.ratio().standing()).isEqualTo(Standing.UNSTEADY);
        assertThat(held.outcome()).isEqualTo(ClaimVerdict.Outcome.HELD);
        assertThat(held.why())
                .isEqualTo("its 4 rounds spread from 60.00 to 350, but all lie on this side of the bound");
        assertThat(held.shown()).isEqualTo("198 ± 110");
        assertThat(held.remark()).contains("but all lie on this side");
        assertThat(notHeld.outcome()).isEqualTo(ClaimVerdict.Outcome.NOT_HELD);
        assertThat(notHeld.why()).contains("1.20 to 54.00", "but all lie on this side");
        assertThat(below.outcome()).isEqualTo(ClaimVerdict.Outcome.NOT_HELD);
        assertThat(between.outcome()).isEqualTo(ClaimVerdict.Outcome.HELD);
    }

    @Test
    void unsteadyRoundsDecideNothingIfOneLiesOnTheOtherSide() {
        ClaimVerdict one = judge(claim(2, Double.POSITIVE_INFINITY), of(60, 350, 115, 1.9, 280));
        ClaimVerdict around = judge(claim(1.2, 1.4), of(1.0, 3, 1.3, 0.3));

        assertThat(one.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
        assertThat(one.why()).isEqualTo("unsteady: its 5 rounds spread from 1.90 to 350, on both sides of the bound");
        assertThat(one.shown()).isEqualTo("-");
        assertThat(around.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
    }

    @Test
    void tooFewRoundsDecideNothingWhereverTheyLie() {
        ClaimVerdict verdict = judge(claim(2, Double.POSITIVE_INFINITY), of(60, 350));

        assertThat(verdict.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
        assertThat(verdict.why()).isEqualTo("too few rounds");
    }

    @Test
    void isNoResultOfDisturbedRoundsOrNone() {
        List<FigureRound> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rounds.add(FigureRound.of(
                    new FigureCell("write", 64), i, HopState.NEAR, 1.0, Map.of("native", 1.0, "bypass", 1.0)));
        }
        ClaimVerdict disturbed = judge(COSTS_NOTHING, new FigureData(MadeFigure.info("latency"), rounds));
        ClaimVerdict missing = judge(COSTS_NOTHING, MadeFigure.sampled());

        assertThat(disturbed.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
        assertThat(disturbed.why()).isEqualTo("disturbed");
        assertThat(missing.outcome()).isEqualTo(ClaimVerdict.Outcome.NO_RESULT);
        assertThat(missing.why()).isEqualTo("not measured");
    }

    @Test
    void areAboutFiguresThatThereAre() {
        List<String> names =
                SuiteFigures.ALL.stream().map(figure -> figure.info().name()).toList();

        assertThat(names).doesNotHaveDuplicates();
        assertThat(Claims.ALL)
                .allSatisfy(claim -> assertThat(names).as(claim.text()).contains(claim.figure()));
        assertThat(Claims.ALL).allSatisfy(claim -> assertThat(claim.least()).isLessThan(claim.most()));
    }
}
