package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
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

    @Test
    void closedPathRefusesCallsAndEndsEvents() throws Exception {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            Session session = bench.session(1, true, Map.of());
            DirectControlPath path = new DirectControlPath(session, bench.executor);
            session.events().completion(1);
            session.events().completion(2);
            List<String> heard = new ArrayList<>();

            path.subscribe(new ClosingSink(path, heard));
            path.close();

            assertThat(heard).containsExactly("completion 1", "the control path is closed");
            assertThat(path.call(new ControlRequest.OpenContext(DataPathKind.BYPASS)))
                    .isEqualTo(new ControlReply.Refused(VerbsStatus.EIO, "the control path is closed"));
        }
    }

    /** Has enough after the first event. */
    private record ClosingSink(DirectControlPath path, List<String> heard) implements EventSink {
        @Override
        public void completion(long cq) {
            heard.add("completion " + cq);
            path.close();
        }

        @Override
        public void async(long context, AsyncEvent event) {
            heard.add("async");
        }

        @Override
        public void connections(long channel) {
            heard.add("connections");
        }

        @Override
        public void overflow() {
            heard.add("overflow");
        }

        @Override
        public void closed(String reason) {
            heard.add(reason);
        }
    }
}
