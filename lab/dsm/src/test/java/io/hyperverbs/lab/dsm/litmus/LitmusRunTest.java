package io.hyperverbs.lab.dsm.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.dsm.LocalNodes;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LitmusRunTest {
    @ParameterizedTest
    @CsvSource({"2, EVENT, true", "3, POLLING, true", "4, TASK_QUEUE, true", "2, PROCESS, false"})
    void outcomesAreSequentiallyConsistent(int nodes, HandlingContext context, boolean fetching) {
        AtomicReference<LitmusRun.Result> result = new AtomicReference<>();
        DsmOptions options = DsmOptions.standard().withHandling(context, true);

        LocalNodes.run(nodes, options.withTransfer(options.transfer(), fetching), dsm -> {
            LitmusRun.Result own = new LitmusRun(dsm, nodes).run(3000);
            if (dsm.node() == 0) {
                result.set(own);
            }
        });

        assertThat(result.get().wrong()).isEmpty();
        assertThat(result.get().programs()).isEqualTo(3000);
        assertThat(result.get().interleaved())
                .as("programs that ran into each other")
                .isPositive();
    }
}
