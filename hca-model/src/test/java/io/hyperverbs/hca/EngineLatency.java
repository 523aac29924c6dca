package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.Arrays;

/**
 * Measures the engine with one poster thread, in one process: a write of 64 bytes from post to
 * completion, and a send to a second queue pair of the same poster. A tool, not a test; its figures
 * are this computer's.
 */
final class EngineLatency {
    private static final int WARM_UP = 200_000;
    private static final int ROUNDS = 300_000;

    private EngineLatency() {}

    @SuppressWarnings("SystemOut") // a tool's output
    public static void main(String[] args) {
        HcaFixture fixture = new HcaFixture();
        HcaFixture.Guest guest = fixture.guest(1);
        TestQp a = new TestQp(fixture, guest);
        TestQp b = new TestQp(fixture, guest);
        TestQp.connect(a, b);
        Buffer from = guest.buffer(4096);
        Buffer to = guest.buffer(4096);
        try (EngineRunner runner = new EngineRunner(fixture.hca).start()) {
            for (int pass = 0; pass < 3; pass++) {
                print("write 64 B, post to completion", write(a, from, to));
                print("send 64 B, post to both completions", send(a, b, from, to));
            }
            System.out.println("engine thread " + runner.thread().getName());
        }
    }

    private static long[] write(TestQp a, Buffer from, Buffer to) {
        WorkCompletion completion = new WorkCompletion();
        long[] nanos = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long start = System.nanoTime();
            a.rdma(i, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, 64, to.address(), to.rkey());
            await(a.cq, completion);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        return nanos;
    }

    private static long[] send(TestQp a, TestQp b, Buffer from, Buffer to) {
        WorkCompletion completion = new WorkCompletion();
        long[] nanos = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            b.receive(i, to, 0, 64);
            long start = System.nanoTime();
            a.send(i, TestQp.SIGNALLED, from, 0, 64);
            await(b.cq, completion);
            await(a.cq, completion);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        return nanos;
    }

    private static void await(TestCq cq, WorkCompletion completion) {
        WaitingPolicy waiting = WaitingPolicy.yielding();
        while (!cq.take(completion)) {
            boolean _ = waiting.idle();
        }
        if (completion.status() != VerbsStatus.SUCCESS) {
            throw new IllegalStateException(completion.toString());
        }
    }

    @SuppressWarnings("SystemOut") // a tool's output
    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%-36s p50 %d ns, p99 %d ns, p99.9 %d ns%n",
                what, nanos[nanos.length / 2], nanos[nanos.length * 99 / 100], nanos[nanos.length / 1000 * 999]);
    }
}
