package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * Random requests of a reliable connection between two HCAs, drawn from a seed, and what must come of them whatever the
 * network does: each completes once, in its order, and memory is what it would be over a faultless one.
 */
final class WireTraffic {
    private static final int AREA = 40_000;
    private static final int SLOTS = 64;
    private static final long LONGEST_NANOS = 10_000_000_000L;

    final WireFixture wire;
    private final long seed;
    private final long stepNanos;
    private final TestQp a;
    private final TestQp b;
    private final Buffer local;
    private final Buffer read;
    private final Buffer remote;
    private final Buffer receives;
    // What must be in the memory of the responder, and where the requester reads to.
    private final byte[] remoteBytes = new byte[AREA];
    private final byte[] readBytes = new byte[AREA];
    private final byte[] localBytes = new byte[AREA];
    private final SplittableRandom dice;
    private long counter;

    /**
     * @param stepNanos how time passes while a completion is awaited
     */
    WireTraffic(long seed, long stepNanos) {
        this.seed = seed;
        this.stepNanos = stepNanos;
        wire = new WireFixture(seed);
        dice = new SplittableRandom(seed);
        Guest left = wire.a.guest(1);
        Guest right = wire.b.guest(1);
        a = new TestQp(wire.a, left, left.cq(256), QpLimits.of(SLOTS, 4).withSge(4, 4), 1);
        b = new TestQp(wire.b, right, right.cq(256), QpLimits.of(4, SLOTS).withSge(4, 4), 1);
        local = left.buffer(AREA + 64);
        read = left.buffer(AREA);
        remote = right.buffer(AREA + 64);
        receives = right.buffer(AREA);
        TestQp.connect(a, b, 7);
        dice.nextBytes(localBytes);
        dice.nextBytes(remoteBytes);
        for (int i = 0; i < AREA; i++) {
            wire.a.memory.set(ValueLayout.JAVA_BYTE, local.machine() + i, localBytes[i]);
            wire.b.memory.set(ValueLayout.JAVA_BYTE, remote.machine() + i, remoteBytes[i]);
        }
    }

    /** So many rounds of up to 32 requests under way at once; counts of faults of the engines are looked at in the end. */
    void run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            int count = 1 + dice.nextInt(SLOTS / 2);
            for (int i = 0; i < count; i++) {
                request(i);
            }
            for (int i = 0; i < count; i++) {
                WorkCompletion done = await();
                assertThat(done.status())
                        .as("seed %d round %d request %d", seed, round, i)
                        .isEqualTo(VerbsStatus.SUCCESS);
                assertThat(done.wrId()).isEqualTo(i);
            }
            expectSameBytes(round);
        }
        assertThat(wire.b.memory.get(ValueLayout.JAVA_LONG, remote.machine() + AREA))
                .isEqualTo(counter);
        assertThat(wire.a.counter(Counter.ENGINE_FAULTS)).isZero();
        assertThat(wire.b.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    private void request(long id) {
        int bytes = dice.nextInt(4) == 0 ? dice.nextInt(AREA) : dice.nextInt(3000);
        int at = dice.nextInt(AREA - bytes);
        switch (dice.nextInt(5)) {
            case 0 -> {
                System.arraycopy(localBytes, 0, remoteBytes, at, bytes);
                // A read whose answer was lost is executed again, so a write must wait for it (IBA 10.8.3.3).
                int flags = TestQp.SIGNALLED | SendFlags.FENCE;
                a.rdma(id, SendWqeLayout.OPCODE_RDMA_WRITE, flags, local, bytes, remote.address() + at, remote.rkey());
            }
            case 1 -> {
                System.arraycopy(remoteBytes, at, readBytes, 0, bytes);
                a.rdma(id, SendWqeLayout.OPCODE_RDMA_READ, 2, read, bytes, remote.address() + at, remote.rkey());
            }
            case 2, 3 -> {
                b.receive(id, receives, 0, AREA);
                a.send(id, TestQp.SIGNALLED, local, 0, bytes);
            }
            default -> {
                counter++;
                a.atomic(
                        id,
                        SendWqeLayout.OPCODE_FETCH_AND_ADD,
                        new Buffer(0, local.address() + AREA, 8, 0, local.lkey(), 0),
                        remote.address() + AREA,
                        remote.rkey(),
                        1,
                        0);
            }
        }
    }

    private WorkCompletion await() {
        WorkCompletion done = a.cq.poll();
        for (long passed = 0; done == null && passed < LONGEST_NANOS; passed += stepNanos) {
            wire.pass(stepNanos);
            done = a.cq.poll();
        }
        assertThat(done).as("completion, seed %d", seed).isNotNull();
        return done;
    }

    private void expectSameBytes(int round) {
        for (int i = 0; i < AREA; i++) {
            if (wire.b.memory.get(ValueLayout.JAVA_BYTE, remote.machine() + i) != remoteBytes[i]
                    || wire.a.memory.get(ValueLayout.JAVA_BYTE, read.machine() + i) != readBytes[i]) {
                throw new AssertionError("seed " + seed + " round " + round + ": byte " + i + " differs");
            }
        }
        while (b.cq.poll() != null) {
            // Receives completed as well.
        }
    }
}
