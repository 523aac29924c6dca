package io.hyperverbs.lab.nas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds on a clock that each moves by what it takes. */
class KernelRoundsTest {
    private static final long MS = 1_000_000;

    private long nowNanos;
    private int made;
    private final KernelRounds rounds = new KernelRounds(new AlonePeers(), () -> nowNanos);

    private NasResult take(long nanos, double value) {
        made++;
        nowNanos += nanos;
        return new NasResult(nanos, List.of(new NasResult.Check("zeta", value, 1, 0)));
    }

    @Test
    void soManyRoundsAllCount() {
        KernelRounds.Outcome outcome = rounds.of(3, () -> take(MS, 1));

        assertThat(outcome.warmUp()).isZero();
        assertThat(outcome.results()).hasSize(3);
    }

    @Test
    void warmsUpUntilASecondHasBroughtNothing() {
        // 100 ms, and a tenth less each time until it is 50 ms.
        KernelRounds.Outcome outcome = rounds.warm(() -> take(Math.max(50, 100 - 10 * made) * MS, 1));

        // Six rounds until 50 ms, and 20 of those.
        assertThat(outcome.warmUp()).isEqualTo(26);
        assertThat(outcome.results()).hasSize(10);
    }

    @Test
    void aLittleFasterIsNotFaster() {
        KernelRounds.Outcome outcome = rounds.warm(() -> take(100 * MS - made * MS, 1));

        assertThat(outcome.warmUp()).isBetween(11, 13);
    }

    @Test
    void whatNeverCalmsEndsAfterTwentySeconds() {
        long[] next = {4000 * MS};

        KernelRounds.Outcome outcome = rounds.warm(() -> {
            next[0] = next[0] * 9 / 10;
            return take(next[0], 1);
        });

        assertThat(outcome.warmUp()).isEqualTo(8);
    }

    @Test
    void longRoundsAreFiveAndShortOnesTwentyFive() {
        assertThat(rounds.warm(() -> take(700 * MS, 1)).results()).hasSize(5);
        assertThat(rounds.warm(() -> take(MS, 1)).results()).hasSize(25);
    }

    @Test
    void oneThatIsWrongWhileItWarmsUpIsKept() {
        KernelRounds.Outcome outcome = rounds.warm(() -> take(700 * MS, made == 1 ? 2 : 1));

        assertThat(outcome.results()).hasSize(6);
        assertThat(outcome.results().getFirst().isVerified()).isFalse();
        assertThat(outcome.results().stream().skip(1)).allMatch(NasResult::isVerified);
    }

    @Test
    void theFirstRankDecidesForAll() throws Exception {
        List<KernelRounds.Outcome> outcomes = ThreadPeers.run(2, peers -> {
            long[] now = {0};
            KernelRounds own = new KernelRounds(peers, () -> now[0]);
            return own.warm(() -> {
                // The second one's clock goes ten times as fast.
                now[0] += (peers.rank() == 0 ? 100 : 1000) * MS;
                return new NasResult(100 * MS, List.of());
            });
        });

        assertThat(outcomes).extracting(KernelRounds.Outcome::warmUp).containsExactly(11, 11);
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.results()).hasSize(5));
    }
}
