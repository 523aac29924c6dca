package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine on a thread of its own. */
@Timeout(60)
class EngineRunnerTest {
    private final HcaFixture fixture = new HcaFixture();
    private final Guest guest = fixture.guest(1);
    private final TestQp a = new TestQp(fixture, guest);
    private final TestQp b = new TestQp(fixture, guest);
    private final Buffer from = guest.buffer(4096);
    private final Buffer to = guest.buffer(4096);

    private void write(long wrId) {
        a.rdma(wrId, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, 64, to.address(), to.rkey());
    }

    private WorkCompletion next(TestQp qp) {
        WaitingPolicy waiting = WaitingPolicy.yielding();
        WorkCompletion completion = qp.cq.poll();
        while (completion == null) {
            waiting.idle();
            completion = qp.cq.poll();
        }
        return completion;
    }

    @Test
    void carriesMessagesAndCommandsOfOtherThreads() {
        try (EngineRunner runner = new EngineRunner(fixture.hca).start()) {
            TestQp.connect(a, b);
            // Both yield: where other work shares their core, each message waits for its turn, 1 to 4 ms.
            for (int i = 0; i < 2_000; i++) {
                write(i);
                assertThat(next(a).wrId()).isEqualTo(i);
            }
            assertThat(a.state()).isEqualTo(QpState.RTS);
            assertThat(runner.thread().isAlive()).isTrue();
        }
        assertThat(a.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void losesNoDoorbellAtTheEdgeOfSleep() {
        // No yielding: the engine goes to sleep between almost any two messages.
        try (EngineRunner runner = new EngineRunner(fixture.hca, new WaitingPolicy(0, 0), () -> {}).start()) {
            TestQp.connect(a, b);
            for (int i = 0; i < 20_000; i++) {
                write(i);
                assertThat(next(a).wrId()).isEqualTo(i);
            }
            int arms = StatusPageLayout.armNumberVolatile(fixture.memory, fixture.statusPage);
            assertThat(arms).isPositive();
            assertThat(runner.thread().isAlive()).isTrue();
        }
    }

    @Test
    void sleepsWhenIdleAndWakesForATimer() {
        try (EngineRunner runner = new EngineRunner(fixture.hca, new WaitingPolicy(0, 0), () -> {}).start()) {
            TestQp.connect(a, b);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> runner.thread().getState() == Thread.State.TIMED_WAITING
                            || runner.thread().getState() == Thread.State.WAITING);
            b.modify(QpAttributes.to(QpState.RESET));

            write(1);

            assertThat(next(a).status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    void noByteLandsAfterDeregistrationReturned() {
        Buffer large = guest.buffer(1 << 20);
        Buffer source = guest.buffer(1 << 20);
        try (EngineRunner runner = new EngineRunner(fixture.hca).start()) {
            for (int round = 0; round < 200; round++) {
                a.modify(QpAttributes.to(QpState.RESET));
                b.modify(QpAttributes.to(QpState.RESET));
                a.sends.reset();
                b.receives.reset();
                TestQp.connect(a, b);
                HcaCommands.Keyed keyed = fixture.hca.createRegion(new HcaCommands.RegionInit(
                        guest.pd,
                        0x10000,
                        1 << 20,
                        15,
                        java.util.List.of(new MachineRun(large.machine(), 1 << 20)),
                        0));
                fixture.memory.asSlice(source.machine(), 1 << 20).fill((byte) (round | 1));
                a.rdma(
                        round,
                        SendWqeLayout.OPCODE_RDMA_WRITE,
                        TestQp.SIGNALLED,
                        source,
                        1 << 20,
                        0x10000,
                        keyed.rkey());

                assertThat(fixture.hca.destroyRegion(keyed.region())).isEqualTo(VerbsStatus.SUCCESS);
                fixture.memory.asSlice(large.machine(), 1 << 20).fill((byte) 0);
                WorkCompletion completion = next(a);

                assertThat(completion.status()).isIn(VerbsStatus.SUCCESS, VerbsStatus.REM_ACCESS_ERR);
                assertThat(fixture.memory.asSlice(large.machine(), 1 << 20).mismatch(fixture.zeros(1 << 20)))
                        .as("round " + round)
                        .isEqualTo(-1);
            }
            assertThat(runner.thread().isAlive()).isTrue();
        }
    }

    @Test
    void commandsRunInlineAgainAfterItStopped() {
        EngineRunner runner = new EngineRunner(fixture.hca).start();
        AtomicBoolean stop = new AtomicBoolean();
        Thread caller = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                int pd = fixture.hca.allocatePd(1).number();
                assertThat(fixture.hca.deallocatePd(pd)).isEqualTo(VerbsStatus.SUCCESS);
            }
        });

        runner.close();
        stop.set(true);

        await().atMost(Duration.ofSeconds(10)).until(() -> !caller.isAlive());
        assertThat(runner.thread().isAlive()).isFalse();
        assertThat(fixture.hca.allocatePd(1).status()).isEqualTo(VerbsStatus.SUCCESS);
    }
}
