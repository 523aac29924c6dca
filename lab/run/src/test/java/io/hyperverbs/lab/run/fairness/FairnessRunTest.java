package io.hyperverbs.lab.run.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.launcher.progress.QuietProgress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds and medians, with guests made up. */
class FairnessRunTest {
    private static final FairnessPlan PLAN =
            FairnessPlan.quick().with(List.of(Attacker.TINY, Attacker.RNR), List.of(Victim.WRITE, Victim.SEND));

    private final List<String> order = new ArrayList<>();
    private double[] shares = {0.5};
    private double[] attackerPaces = {7};
    private int measured;

    private final Guests guests = new Guests() {
        @Override
        public LoadPace alone(Victim victim, int millis) {
            order.add(victim.word());
            return new LoadPace(1000, 10, 100);
        }

        @Override
        public Beside beside(Attacker attacker, Victim victim, int millis) {
            order.add(attacker.word() + "/" + victim.word());
            double share = shares[measured++ % shares.length];
            double pace = attackerPaces[Math.min(measured, attackerPaces.length) - 1];
            return new Beside(new LoadPace(1000 * share, 10, 150), pace);
        }
    };

    private Matrix run(FairnessPlan plan, BenchRun.Hop hop) throws Exception {
        return new FairnessRun(plan, guests, hop, new QuietProgress()).run();
    }

    @Test
    void eachVictimRunsAloneBeforeAndAfterEachAttacker() throws Exception {
        Matrix matrix = run(PLAN.withRounds(2), millis -> 50);

        assertThat(order.subList(16, order.size()))
                .containsExactly(
                        "write",
                        "tiny/write",
                        "write",
                        "rnr/write",
                        "write",
                        "send",
                        "tiny/send",
                        "send",
                        "rnr/send",
                        "send",
                        "write",
                        "rnr/write",
                        "write",
                        "tiny/write",
                        "write",
                        "send",
                        "rnr/send",
                        "send",
                        "tiny/send",
                        "send");
        assertThat(matrix.cells()).hasSize(4).allMatch(cell -> cell.rounds() == 2);
    }

    @Test
    void halfOfWhatItDoesAloneIsTheFairShare() throws Exception {
        Matrix matrix = run(PLAN, millis -> 50);

        Matrix.Cell cell = matrix.cell(Attacker.TINY, Victim.WRITE);
        assertThat(cell.share()).isEqualTo(1.0);
        assertThat(cell.tail()).isEqualTo(1.5);
        assertThat(cell.attackerPerSecond()).isEqualTo(7);
        assertThat(matrix.isFair()).isTrue();
    }

    @Test
    void theMedianJudges() throws Exception {
        FairnessPlan one =
                PLAN.with(List.of(Attacker.TINY), List.of(Victim.WRITE)).withRounds(5);
        // The first four are the warm-up's.
        shares = new double[] {1, 1, 1, 1, 0.1, 0.5, 0.6, 0.2, 0.5};

        assertThat(run(one, millis -> 50).cell(Attacker.TINY, Victim.WRITE).share())
                .isEqualTo(1.0);
        measured = 0;
        shares = new double[] {1, 1, 1, 1, 0.1, 0.39, 0.6, 0.2, 0.5};
        Matrix unfair = run(one, millis -> 50);
        assertThat(unfair.cell(Attacker.TINY, Victim.WRITE).share()).isEqualTo(0.78);
        assertThat(unfair.cell(Attacker.TINY, Victim.WRITE).lowest()).isEqualTo(0.2);
        assertThat(unfair.isFair()).isFalse();
    }

    @Test
    void aMeasurementInWhichTheCoresMovedIsMadeAgain() throws Exception {
        FairnessPlan one =
                PLAN.with(List.of(Attacker.TINY), List.of(Victim.WRITE)).withRounds(3);
        // The first four are the warm-up's, the next is spoilt.
        shares = new double[] {1, 1, 1, 1, 0.1, 0.5, 0.5, 0.5};
        double[] hops = {50, 50, 300, 300, 300, 300, 300, 300, 300, 300, 300};
        int[] probe = {0};

        Matrix matrix = run(one, millis -> hops[probe[0]++]);

        assertThat(matrix.cell(Attacker.TINY, Victim.WRITE).rounds()).isEqualTo(3);
        assertThat(matrix.cell(Attacker.TINY, Victim.WRITE).lowest()).isEqualTo(1.0);
    }

    @Test
    void coresThatMovedOnlyBesideTheAttackerSpoilARoundToo() throws Exception {
        FairnessPlan one =
                PLAN.with(List.of(Attacker.TINY), List.of(Victim.WRITE)).withRounds(1);
        shares = new double[] {1, 1, 1, 1, 0.1, 0.5};
        double[] hops = {50, 300, 50, 50, 50};
        int[] probe = {0};

        Matrix matrix = run(one, millis -> hops[probe[0]++]);

        assertThat(matrix.cell(Attacker.TINY, Victim.WRITE).lowest()).isEqualTo(1.0);
    }

    @Test
    void anAttackerThatBecomesFasterRunsOn() throws Exception {
        double[] paces = {1, 2, 4, 8, 8, 8};
        FairnessPlan one =
                PLAN.with(List.of(Attacker.TINY), List.of(Victim.WRITE)).withRounds(1);
        attackerPaces = paces;

        Matrix matrix = run(one, millis -> 50);

        // Six until two in a row were no faster, one more that is not counted, and the round.
        assertThat(measured).isEqualTo(6 + 1 + 1);
        assertThat(matrix.cell(Attacker.TINY, Victim.WRITE).attackerPerSecond()).isEqualTo(8);
    }

    @Test
    void coresThatAlwaysMoveAreTriedThreeTimes() throws Exception {
        FairnessPlan one =
                PLAN.with(List.of(Attacker.TINY), List.of(Victim.WRITE)).withRounds(2);
        int[] probe = {0};

        Matrix matrix = run(one, millis -> probe[0]++ % 2 == 0 ? 50 : 300);

        assertThat(measured).isEqualTo(4 + 2 * 3);
        assertThat(matrix.cell(Attacker.TINY, Victim.WRITE).rounds()).isEqualTo(2);
    }
}
