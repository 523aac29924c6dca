package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.lab.ledger.Sources;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.tests.machine.ForgetfulDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Guests killed with -9 at random points: while they register, while they connect, in the middle of
 * RDMA both ways. {@code -Dkills=200} for the long run, which also holds the 99th percentile of the
 * time to it; a build does fewer. {@code -Dseed} draws the same points again.
 */
@Isolated("the time of an end is looked at")
@RunsWhenChanged
class GuestKillTest {
    private static final int FULL = 20;
    private static final int SMALL = 4;

    /** Kills from which on a percentile says something, on a computer that does nothing else. */
    private static final int LONG_RUN = 100;

    /** Within this a guest is to be gone; on a computer that others use, half of them are. */
    private static final long MOST_MILLIS = 250;

    private static final Path COPY = Path.of("target/forgetful-dist").toAbsolutePath();

    @Test
    void peersSeeSilenceAndNothingElse() throws Exception {
        long seed = Sources.seed();
        int kills = Integer.getInteger("kills", Proof.KILLS.isDue() ? FULL : SMALL);
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            KillRounds rounds = new KillRounds(machine, seed);

            rounds.run(kills);

            assertThat(rounds.findings()).as("seed %d", seed).isEmpty();
            List<Long> millis = rounds.cleanMillis();
            long median = millis.get(kills / 2);
            long p99 = millis.get(Math.ceilDiv(99 * kills, 100) - 1);
            System.out.printf(
                    "%d kills, seed %d: clean after %d ms (median), %d ms (p99), %d ms (most)%n",
                    kills, seed, median, p99, millis.getLast());
            assertThat(median).isLessThanOrEqualTo(MOST_MILLIS);
            if (kills >= LONG_RUN) {
                assertThat(p99).isLessThanOrEqualTo(MOST_MILLIS);
            }
            HcaView hca = HcaView.read(machine.client());
            assertThat(hca.queuePairs()).isEmpty();
            assertThat(hca.completionQueues()).isEmpty();
            assertThat(hca.regions()).isEmpty();
            if (kills >= FULL) {
                Proof.KILLS.note();
            }
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
