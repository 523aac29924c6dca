package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Verbs of one session from several threads, in any order, once or often: one effect each. */
class ConcurrentVerbsTest extends SessionFixture {
    private static final int THREADS = 4;
    private static final int ROUNDS = 100;
    private static final int REQUESTS = 200;

    /** Runs one body in each thread, all at once; what they threw. */
    private static List<Throwable> together(List<Runnable> bodies) throws InterruptedException {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        CyclicBarrier start = new CyclicBarrier(bodies.size());
        List<Thread> threads = new ArrayList<>();
        for (Runnable body : bodies) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                    body.run();
                } catch (Throwable t) {
                    thrown.add(t);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return thrown;
    }

    @Test
    void destroyAnObjectOnce() throws Exception {
        Session rich = bench.session(2, Map.of("quota.control-rate", "1000000"));
        SessionObjects own = SessionObjects.create(bench, rich, DataPathKind.FORWARDED);
        AtomicLong ids = new AtomicLong(1000);
        for (int round = 0; round < ROUNDS; round++) {
            ControlReply made =
                    bench.executor.execute(rich, ids.incrementAndGet(), SessionObjects.createQp(own.pd(), own.cq(), 0));
            long qp = ((ControlReply.QpCreated) made).qp();
            List<ControlReply> destroyed = new CopyOnWriteArrayList<>();
            List<ControlReply> others = new CopyOnWriteArrayList<>();
            List<Runnable> bodies = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                bodies.add(() -> {
                    for (ControlRequest request : List.of(
                            new ControlRequest.ModifyQp(qp, QpAttributes.to(QpState.ERR)),
                            new ControlRequest.QueryQp(qp))) {
                        others.add(bench.executor.execute(rich, ids.incrementAndGet(), request));
                    }
                    destroyed.add(bench.executor.execute(
                            rich, ids.incrementAndGet(), new ControlRequest.Destroy(ObjectKind.QP, qp)));
                });
            }

            assertThat(together(bodies)).isEmpty();

            assertThat(destroyed.stream().filter(ControlReply.Done.class::isInstance))
                    .hasSize(1);
            assertThat(destroyed.stream().filter(ControlReply.Refused.class::isInstance))
                    .hasSize(THREADS - 1)
                    .allMatch(reply -> ((ControlReply.Refused) reply).status() == VerbsStatus.ENOENT);
            assertThat(others.stream().filter(ControlReply.Refused.class::isInstance))
                    .allMatch(reply -> ((ControlReply.Refused) reply).status() == VerbsStatus.EINVAL);
        }
        assertThat(rich.quota().used(QuotaKind.QP)).isEqualTo(1);
    }

    @Test
    void repeatedAndReorderedHaveOneEffectEach() throws Exception {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        long used = session.quota().used(QuotaKind.AH);
        ControlRequest create = new ControlRequest.CreateAh(own.pd(), AddressAttributes.of(1));
        List<Map.Entry<Long, ControlReply>> replies = new CopyOnWriteArrayList<>();
        List<Runnable> bodies = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            List<Long> ids = new ArrayList<>();
            for (long id = 1001; id <= 1000 + REQUESTS; id++) {
                ids.add(id);
                ids.add(id);
            }
            Collections.shuffle(ids, new Random(thread));
            bodies.add(() ->
                    ids.forEach(id -> replies.add(Map.entry(id, bench.executor.execute(session, id, create)))));
        }

        assertThat(together(bodies)).isEmpty();

        assertThat(session.quota().used(QuotaKind.AH) - used).isEqualTo(REQUESTS);
        assertThat(replies).hasSize(2 * THREADS * REQUESTS);
        assertThat(replies.stream().distinct()).hasSize(REQUESTS);
        assertThat(replies).allMatch(reply -> reply.getValue() instanceof ControlReply.AhCreated);
    }

    @Test
    void meetATeardownAndLeaveNothing() throws Exception {
        for (int round = 0; round < ROUNDS / 4; round++) {
            Session ending = bench.session(10 + round, Map.of());
            Set<String> live = bench.hca.live();
            AtomicLong ids = new AtomicLong();
            List<Runnable> bodies = new ArrayList<>();
            for (int i = 1; i < THREADS; i++) {
                bodies.add(() -> {
                    for (int call = 0; call < 12; call++) {
                        ControlReply reply = bench.executor.execute(
                                ending, ids.incrementAndGet(), new ControlRequest.OpenContext(DataPathKind.BYPASS));
                        if (reply instanceof ControlReply.ContextOpened opened) {
                            ControlReply _ = bench.executor.execute(
                                    ending, ids.incrementAndGet(), new ControlRequest.AllocatePd(opened.context()));
                        }
                    }
                });
            }
            bodies.add(() -> assertThat(bench.teardown.close(ending)).isZero());

            assertThat(together(bodies)).isEmpty();

            assertThat(bench.hca.live()).isEqualTo(live);
            assertThat(ExecutorBench.used(ending).values()).containsOnly(0L);
        }
    }
}
