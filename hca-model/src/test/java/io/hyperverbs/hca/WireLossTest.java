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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random requests of a reliable connection over a network that loses, doubles and reorders: each completes once, in its
 * order, and memory is what it would be without.
 */
class WireLossTest {
    private static final int ROUNDS = Integer.getInteger("wire.rounds", 400);
    private static final int AREA = 40_000;
    private static final int SLOTS = 64;
    private static final long MILLISECOND = 1_000_000;

    private WireFixture wire;
    private TestQp a;
    private TestQp b;
    private Buffer local;
    private Buffer read;
    private Buffer remote;
    private Buffer receives;
    // What must be in the memory of the responder, and where the requester reads to.
    private final byte[] remoteBytes = new byte[AREA];
    private final byte[] readBytes = new byte[AREA];
    private final byte[] localBytes = new byte[AREA];
    private SplittableRandom dice;
    private long counter;

    private void open(long seed) {
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

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0.01, 0, 0", "0, 0.05, 0", "0, 0, 0.05", "0.05, 0.05, 0.05", "0.3, 0.1, 0.1"})
    void nothingIsLostDoubledOrMixedUp(double loss, double duplicates, double overtakings) {
        open(Double.hashCode(loss) ^ 31L * Double.hashCode(duplicates));
        wire.network.impair(loss, duplicates, overtakings);

        for (int round = 0; round < ROUNDS; round++) {
            int count = 1 + dice.nextInt(SLOTS / 2);
            for (int i = 0; i < count; i++) {
                request(i);
            }
            for (int i = 0; i < count; i++) {
                WorkCompletion done = await(a);
                assertThat(done.status()).as("round %d request %d", round, i).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(done.wrId()).isEqualTo(i);
            }
            expectSameBytes(round);
        }
        assertThat(wire.b.memory.get(ValueLayout.JAVA_LONG, remote.machine() + AREA))
                .isEqualTo(counter);
        assertThat(wire.a.counter(Counter.ENGINE_FAULTS)).isZero();
        assertThat(wire.b.counter(Counter.ENGINE_FAULTS)).isZero();
        assertThat(loss == 0 || wire.a.counter(Counter.LOCAL_ACK_TIMEOUT_ERR) > 0)
                .isTrue();
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

    private WorkCompletion await(TestQp qp) {
        WorkCompletion done = qp.cq.poll();
        for (int i = 0; done == null && i < 10_000; i++) {
            wire.pass(MILLISECOND);
            done = qp.cq.poll();
        }
        assertThat(done).as("completion").isNotNull();
        return done;
    }

    private void expectSameBytes(int round) {
        for (int i = 0; i < AREA; i++) {
            if (wire.b.memory.get(ValueLayout.JAVA_BYTE, remote.machine() + i) != remoteBytes[i]
                    || wire.a.memory.get(ValueLayout.JAVA_BYTE, read.machine() + i) != readBytes[i]) {
                throw new AssertionError("round " + round + ": byte " + i + " differs");
            }
        }
        while (b.cq.poll() != null) {
            // Receives completed as well.
        }
    }
}
