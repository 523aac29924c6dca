package io.hyperverbs.lab.run.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.floor.Floor;
import io.hyperverbs.lab.run.floor.FloorCell;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PerfPlanTest {
    private static PerfPlan plan(boolean latency, BenchVerb verb, PerfQueues queues, PerfFlag... flags) {
        return new PerfPlan(
                latency,
                verb,
                QpType.RC,
                List.of(64),
                List.of(MeasuredPath.BYPASS),
                1000,
                0,
                queues,
                Set.of(flags),
                false);
    }

    private static PerfQueues queues(int queuePairs, int txDepth, int rxDepth, int postList, int moderation) {
        return new PerfQueues(queuePairs, txDepth, rxDepth, postList, moderation, 0);
    }

    private static int moderation(PerfQueues queues, int sizeBytes) {
        return plan(false, BenchVerb.WRITE, queues)
                .round(1, MeasuredPath.BYPASS, sizeBytes)
                .queues()
                .cqModeration();
    }

    @Test
    void moderationGoesByPostListAndSize() {
        assertThat(moderation(queues(1, 128, 1, 1, 0), 64)).isEqualTo(100);
        assertThat(moderation(queues(1, 128, 1, 1, 0), 65536)).isEqualTo(1);
        assertThat(moderation(queues(1, 128, 1, 4, 0), 65536)).isEqualTo(4);
        assertThat(moderation(queues(1, 16, 1, 1, 0), 64)).isEqualTo(16);
        assertThat(moderation(queues(1, 128, 1, 1, 7), 64)).isEqualTo(7);
    }

    @Test
    void queuesThatCannotBeAreRefused() {
        assertThatCode(() -> plan(false, BenchVerb.SEND, queues(4, 128, 512, 128, 128))
                        .check())
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        plan(false, BenchVerb.SEND, queues(128, 1024, 1, 1, 1)).check())
                .hasMessageContaining("-q 128 -t 1024");
        assertThatThrownBy(() ->
                        plan(false, BenchVerb.SEND, queues(128, 1, 1024, 1, 1)).check())
                .hasMessageContaining("-q 128 -r 1024");
        assertThatCode(() -> plan(false, BenchVerb.SEND, queues(128, 1, 1024, 1, 1), PerfFlag.SRQ)
                        .check())
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        plan(false, BenchVerb.SEND, queues(1, 8, 1, 16, 1)).check())
                .hasMessageContaining("-l 16 is more than -t 8");
        assertThatThrownBy(() ->
                        plan(false, BenchVerb.SEND, queues(1, 8, 1, 1, 16)).check())
                .hasMessageContaining("-Q 16 is more than -t 8");
    }

    @Test
    void sizesEndWhereTheTransportDoes() {
        assertThat(PerfPlan.allSizes(QpType.RC)).hasSize(23).startsWith(2, 4).endsWith(1 << 23);
        assertThat(PerfPlan.allSizes(QpType.UD)).endsWith(2048);
        assertThat(PerfPlan.standardSizes(true, BenchVerb.SEND, QpType.UD)).containsExactly(2);
        assertThat(PerfPlan.standardSizes(false, BenchVerb.SEND, QpType.UD)).containsExactly(2048);
        assertThat(PerfPlan.standardSizes(false, BenchVerb.WRITE, QpType.RC)).containsExactly(65536);
        assertThat(PerfPlan.standardSizes(false, BenchVerb.FETCH_ADD, QpType.RC))
                .containsExactly(8);
    }

    @Test
    void pollersAreThoseThatDoNotSleep() {
        PerfQueues one = queues(1, 128, 512, 1, 1);

        assertThat(plan(true, BenchVerb.WRITE, one).pollers()).isEqualTo(3);
        assertThat(plan(true, BenchVerb.READ, one).pollers()).isEqualTo(2);
        assertThat(plan(false, BenchVerb.WRITE, one).pollers()).isEqualTo(2);
        assertThat(plan(false, BenchVerb.WRITE, one, PerfFlag.BIDIRECTIONAL).pollers())
                .isEqualTo(3);
        assertThat(plan(true, BenchVerb.SEND, one, PerfFlag.EVENTS).pollers()).isEqualTo(1);
    }

    @Test
    void thePeakIsForFewMessagesOnly() {
        assertThat(plan(false, BenchVerb.WRITE, queues(20, 128, 1, 1, 1))
                        .withPeakIfFew()
                        .flags())
                .isEmpty();
        assertThat(plan(false, BenchVerb.WRITE, queues(21, 128, 1, 1, 1))
                        .withPeakIfFew()
                        .flags())
                .containsExactly(PerfFlag.NO_PEAK);
    }

    @Test
    void aRowHasTheFloorOfItsVerbAndBatch() throws Exception {
        PerfQueues queues = new PerfQueues(4, 512, 512, 8, 8, 0);

        assertThat(floor(false, BenchVerb.WRITE, queues)).contains(new FloorCell(Floor.WRITES, 64, 8, 1024));
        assertThat(floor(false, BenchVerb.SEND, queues)).contains(new FloorCell(Floor.SENDS, 64, 8, 1024));
        assertThat(floor(false, BenchVerb.READ, new PerfQueues(1, 16, 1, 1, 1, 0)))
                .contains(new FloorCell(Floor.WRITES, 64, 1, 16));
        assertThat(floor(true, BenchVerb.WRITE, queues)).isEmpty();
        assertThat(floor(false, BenchVerb.FETCH_ADD, queues)).isEmpty();
        assertThat(floor(false, BenchVerb.SEND, queues, PerfFlag.BIDIRECTIONAL)).isEmpty();
        assertThat(floor(false, BenchVerb.SEND, queues, PerfFlag.EVENTS)).isEmpty();
    }

    private static Optional<FloorCell> floor(boolean latency, BenchVerb verb, PerfQueues queues, PerfFlag... flags) {
        return plan(latency, verb, queues, flags).floor(64);
    }
}
