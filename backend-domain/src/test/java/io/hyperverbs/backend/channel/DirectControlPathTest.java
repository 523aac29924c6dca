package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DirectControlPathTest {
    private static final int THREADS = 16;
    private static final int ROUNDS = 1000;

    @TempDir
    Path state;

    @Test
    void carriesOutVerbsOfManyThreads() throws Exception {
        try (ExecutorBench bench = new ExecutorBench(state);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Session session = bench.session(1, true, Map.of("quota.control-rate", "1000000"));
            DirectControlPath path = new DirectControlPath(session, bench.executor);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            ControlReply opened = path.call(new ControlRequest.OpenContext(DataPathKind.BYPASS));
            long context = ((ControlReply.ContextOpened) opened).context();
            Callable<List<ControlReply>> allocateAndFree = () -> {
                List<ControlReply> refused = new ArrayList<>();
                start.await();
                for (int i = 0; i < ROUNDS; i++) {
                    switch (path.call(new ControlRequest.AllocatePd(context))) {
                        case ControlReply.PdAllocated made -> {
                            ControlReply freed = path.call(new ControlRequest.Destroy(ObjectKind.PD, made.pd()));
                            if (freed instanceof ControlReply.Refused) {
                                refused.add(freed);
                            }
                        }
                        case ControlReply other -> refused.add(other);
                    }
                }
                return refused;
            };

            List<Future<List<ControlReply>>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                results.add(threads.submit(allocateAndFree));
            }

            for (Future<List<ControlReply>> refused : results) {
                assertThat(refused.get()).isEmpty();
            }
            assertThat(session.quota().used(QuotaKind.PD)).isZero();
        }
    }
}
