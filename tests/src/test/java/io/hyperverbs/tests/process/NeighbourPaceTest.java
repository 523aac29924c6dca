package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.ledger.Proof;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What a guest at its quota, one that is stopped for ten seconds with all it may have under way,
 * and one that computes in hundreds of threads cost a neighbour: of attacks of this length times
 * are judged, by the medians of rounds beside an attack and calm ones between them.
 */
@Isolated("paces are compared")
class NeighbourPaceTest {
    /** Against a hang alone: attackers that compute in hundreds of threads answer their judge late. */
    private static final Duration LIMIT = Duration.ofMinutes(15);

    @Test
    void keepsItsPace() throws Exception {
        assumeTrue(Proof.PACE.isDue(), "nothing has changed since it held");
        List<String> attacks = Isolation.cases(List.of()).stream()
                .filter(IsolationCase::timed)
                .map(IsolationCase::name)
                .toList();
        List<String> args = new ArrayList<>(List.of("isolate"));
        args.addAll(attacks);
        args.addAll(List.of("--duration", "10s", "--format", "json"));
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome outcome = hv.run(LIMIT, args.toArray(String[]::new));
            assertThat(outcome.exit()).as("stderr: %s", outcome.err()).isIn(0, 7);

            PromisedVerdicts.assertAsPromised(outcome.json(), attacks);
        }
        Proof.PACE.note();
    }
}
