package io.hyperverbs.lab.dsm.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.dsm.LocalNodes;
import io.hyperverbs.upper.dsm.SharedLongs;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LitmusRunTest {
    /** On a busy core threads may take turns for a whole run, which shows nothing. */
    private static final int MOST_RUNS = 200;

    @ParameterizedTest
    @CsvSource({"2, EVENT, true", "3, POLLING, true", "4, TASK_QUEUE, true", "2, PROCESS, false"})
    void outcomesAreSequentiallyConsistent(int nodes, HandlingContext context, boolean fetching) {
        List<LitmusRun.Result> results = new ArrayList<>();
        DsmOptions options = DsmOptions.standard().withHandling(context, true);

        LocalNodes.run(nodes, options.withTransfer(options.transfer(), fetching), dsm -> {
            LitmusRun run = new LitmusRun(dsm, nodes);
            SharedLongs met = dsm.longs(1, 1);
            for (int i = 0; i < MOST_RUNS && met.get(0) == 0; i++) {
                LitmusRun.Result own = run.run(3000);
                if (dsm.node() == 0) {
                    results.add(own);
                    met.set(0, own.interleaved());
                }
                dsm.barrier();
            }
        });

        assertThat(results).allSatisfy(result -> {
            assertThat(result.wrong()).isEmpty();
            assertThat(result.programs()).isEqualTo(3000);
        });
        assertThat(results.getLast().interleaved())
                .as("programs that ran into each other")
                .isPositive();
    }
}
