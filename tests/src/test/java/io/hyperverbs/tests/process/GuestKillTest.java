package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.tests.machine.ForgetfulDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Guests killed with -9 at random points: while they register, while they connect, in the middle of
 * RDMA both ways. {@code -Dkills=200} for the long run, which also holds the time to it; a build
 * does fewer. {@code -Dseed} draws the same points again.
 */
@Order(3)
class GuestKillTest {
    private static final int KILLS = Integer.getInteger("kills", 20);

    /** Kills from which on a percentile says something, on a computer that does nothing else. */
    private static final int LONG_RUN = 100;

    private static final long P99_MILLIS = 250;

    /** Half of all, even on a computer that is busy with other things. */
    private static final long MEDIAN_MILLIS = 1_000;

    private static final Path COPY = Path.of("target/forgetful-dist").toAbsolutePath();

    @Test
    void peersSeeSilenceAndNothingElse() throws Exception {
        long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong(1L << 32));
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            KillRounds rounds = new KillRounds(machine, seed);

            rounds.run(KILLS);

            assertThat(rounds.findings()).as("seed %d", seed).isEmpty();
            List<Long> millis = rounds.cleanMillis();
            long median = millis.get(KILLS / 2);
            long p99 = millis.get(Math.ceilDiv(99 * KILLS, 100) - 1);
            System.out.printf(
                    "%d kills, seed %d: clean after %d ms (median), %d ms (p99), %d ms (most)%n",
                    KILLS, seed, median, p99, millis.getLast());
            assertThat(median).isLessThanOrEqualTo(MEDIAN_MILLIS);
            if (KILLS >= LONG_RUN) {
                assertThat(p99).isLessThanOrEqualTo(P99_MILLIS);
            }
            HcaView hca = HcaView.read(machine.client());
            assertThat(hca.queuePairs()).isEmpty();
            assertThat(hca.completionQueues()).isEmpty();
            assertThat(hca.regions()).isEmpty();
        }
    }

    /** The test of the test: a device domain that forgets the regions of a dead guest. */
    @Test
    void aRegionThatIsForgottenIsFound() throws Exception {
        ForgetfulDistribution.make(TestMachine.DISTRIBUTION, COPY);
        try (TestMachine machine = new TestMachine(COPY)) {
            KillRounds rounds = new KillRounds(machine, 1);

            rounds.run(2);

            assertThat(rounds.findings()).anyMatch(finding -> finding.contains("still holds"));
        }
    }
}
