package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ObjectKind;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A guest may die after any step of its set-up and of its tear-down: nothing of it is left. */
class DeathAtEachStepTest {
    private static final int MORE_STEPS_THAN_A_LIFE_HAS = 40;

    @TempDir
    Path state;

    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void leavesNothing(DataPathKind path) {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            FakeMachine.Counters baseline = bench.machine.counters();
            int steps = 0;
            for (boolean whole = false; !whole; steps++) {
                assertThat(steps).isLessThan(MORE_STEPS_THAN_A_LIFE_HAS);
                Session session = bench.session(1 + steps, Map.of());
                bench.dieAfter(steps);
                whole = lives(bench, session, path);

                int left = bench.teardown.close(session);

                assertThat(left).as("left after step %d", steps).isZero();
                assertThat(bench.machine.counters()).as("step %d", steps).isEqualTo(baseline);
                assertThat(bench.hca.live()).as("step %d", steps).isEmpty();
                assertThat(ExecutorBench.used(session).values())
                        .as("step %d", steps)
                        .containsOnly(0L);
            }
            // One step for each call of the whole life, and the one without a death.
            assertThat(steps).isGreaterThan(12);
        }
    }

    /** Whether it got through: opens everything, then closes it from the leaves up. */
    private static boolean lives(ExecutorBench bench, Session session, DataPathKind path) {
        try {
            SessionObjects all = SessionObjects.create(bench, session, path);
            destroy(bench, session, ObjectKind.QP, all.qp());
            destroy(bench, session, ObjectKind.SRQ, all.srq());
            destroy(bench, session, ObjectKind.CQ, all.cq());
            destroy(bench, session, ObjectKind.WINDOW, all.window());
            destroy(bench, session, ObjectKind.REGION, all.region());
            destroy(bench, session, ObjectKind.AH, all.ah());
            destroy(bench, session, ObjectKind.PD, all.pd());
            return true;
        } catch (ExecutorBench.GuestDied e) {
            return false;
        } finally {
            bench.dieAfter(Integer.MAX_VALUE);
        }
    }

    private static void destroy(ExecutorBench bench, Session session, ObjectKind kind, long handle) {
        bench.destroy(session, kind, handle);
    }
}
