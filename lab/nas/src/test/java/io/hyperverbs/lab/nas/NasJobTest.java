package io.hyperverbs.lab.nas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked for and cannot be is refused in one line; the rest is reported. */
class NasJobTest {
    /** What the JVM of a guest has of its 64 MiB, less a survivor space. */
    private static final long GUEST_HEAP = 62 << 20;

    @ParameterizedTest
    @CsvSource({
        "CG, usage: nas KERNEL CLASS",
        "CG S 3 3, usage: nas KERNEL CLASS",
        "CG S 0, 'rounds are 1 to 9999, or warm, not 0'",
        "CG S many, 'rounds are 1 to 9999, or warm, not many'",
        "LU S, kernel is one of EP",
        "CG Z, 'class is S, W or A, not Z'"
    })
    void saysWhatIsWrongWithArguments(String words, String reason) {
        assertThatThrownBy(() -> NasJob.of(words.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({"IS S, 513", "CG S, 1401", "IS A, 1", "FT S, 3", "FT A, 4", "MG S, 3", "MG S, 32", "MG W, 1"})
    void refusesRanksThatCannotShareTheWork(String words, int ranks) {
        assertThat(NasJob.of(words.split(" ")).refusal(ranks, GUEST_HEAP)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EP A", "is w", "cg a", "ft w", "mg s"})
    void takesWhatFitsAGuest(String words) {
        assertThat(NasJob.of(words.split(" ")).refusal(1, GUEST_HEAP)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"IS A, 4", "FT A, 16", "MG W, 2", "MG A, 16"})
    void takesAsManyGuestsAsTheTableOfClassesSays(String words, int ranks) {
        NasJob job = NasJob.of(words.split(" "));

        assertThat(job.refusal(ranks, GUEST_HEAP)).isEmpty();
        assertThat(job.refusal(ranks / 2, GUEST_HEAP)).contains("of heap in each of " + ranks / 2 + " ranks");
    }

    @Test
    void reportsValuesThatAreOthers() {
        NasResult wrong =
                new NasResult(500_000_000, List.of(new NasResult.Check("zeta", Double.NaN, 8.5971775078648, 1e-10)));

        String report = NasJob.of(new String[] {"cg", "s"}).report(outcome(0, wrong), 2);

        assertThat(report)
                .contains("kernel      CG", "ranks       2", "time        0.500 s")
                .contains("NOT VERIFIED: zeta is NaN, expected 8.597")
                .doesNotContain("\nverified");
    }

    @Test
    void theTimeIsTheMedianOfAllRoundsButTheFirst() {
        List<NasResult> rounds =
                Stream.of(9.0, 4.0, 1.0, 3.0, 2.0).map(NasJobTest::verified).toList();

        String report = NasJob.of(new String[] {"mg", "s", "5"}).report(new KernelRounds.Outcome(0, rounds), 2);

        assertThat(report)
                .contains("round 1     9.000000 s, warms up", "round 2     4.000000 s\n", "round 5     2.000000 s\n")
                .contains("time        2.500 s, median of rounds 2 to 5")
                .endsWith("verified\n");
    }

    @Test
    void inAWarmRunAllRoundsCount() {
        KernelRounds.Outcome outcome = outcome(40, verified(4), verified(1), verified(3));

        assertThat(NasJob.of(new String[] {"mg", "s", "warm"}).report(outcome, 2))
                .contains("warm-up     40 rounds\n", "round 1     4.000000 s\n")
                .contains("time        3.000 s, median of rounds 1 to 3")
                .doesNotContain("warms up");
    }

    private static KernelRounds.Outcome outcome(int warmUp, NasResult... results) {
        return new KernelRounds.Outcome(warmUp, List.of(results));
    }

    @Test
    void aSingleRoundIsTheTime() {
        assertThat(NasJob.of(new String[] {"mg", "s"}).report(outcome(0, verified(9)), 2))
                .contains("time        9.000 s\n")
                .doesNotContain("round ");
    }

    @Test
    void oneRoundThatIsWrongIsEnough() {
        NasResult wrong = new NasResult(1, List.of(new NasResult.Check("zeta", 1, 2, 1e-10)));

        assertThat(NasJob.of(new String[] {"cg", "s", "2"}).report(outcome(0, verified(1), wrong), 2))
                .contains("NOT VERIFIED: zeta is 1")
                .doesNotContain("\nverified");
        assertThat(NasJob.isVerified(List.of(verified(1), wrong))).isFalse();
    }

    @Test
    void eachRoundBeginsWithFreshData() {
        // EP and IS add up in their kernel.
        for (String words : List.of("EP S 2", "IS S 3")) {
            assertThat(NasJob.of(words.split(" ")).run(new AlonePeers()).results())
                    .hasSize(words.charAt(words.length() - 1) - '0')
                    .allMatch(NasResult::isVerified);
        }
    }

    private static NasResult verified(double seconds) {
        return new NasResult((long) (seconds * 1e9), List.of(new NasResult.Check("zeta", 2, 2, 0)));
    }

    @Test
    void endsWithTheCodeOfWhatCameOfIt() {
        RankPeers alone = new AlonePeers();

        assertThat(NasProgram.code(new String[] {"CG", "S"}, alone, GUEST_HEAP)).isZero();
        assertThat(NasProgram.code(new String[] {"CG"}, alone, GUEST_HEAP)).isEqualTo(2);
        assertThat(NasProgram.code(new String[] {"IS", "A"}, alone, GUEST_HEAP)).isEqualTo(2);
    }
}
