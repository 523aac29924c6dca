package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random valid requests on several queue pairs, against a model that is nothing but byte arrays. A
 * pair's requests are ordered; those of different pairs touch different bytes.
 */
class RandomWalkTest {
    private static final int PAIRS = 4;
    private static final int SIZE = 1 << 18;
    private static final int STEPS = 20_000;

    private final HcaFixture fixture = new HcaFixture();
    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** Two ends and what their buffers should hold. */
    private final class Pair {
        final Guest guestA = fixture.guest(1 + random.nextInt(3));
        final Guest guestB = fixture.guest(5 + random.nextInt(3));
        final TestQp a = new TestQp(fixture, guestA);
        final TestQp b = new TestQp(fixture, guestB);
        final Buffer bufferA = guestA.buffer(SIZE);
        final Buffer bufferB = guestB.buffer(SIZE);
        final byte[] modelA = new byte[SIZE];
        final byte[] modelB = new byte[SIZE];
        final Deque<Long> expected = new ArrayDeque<>();
        final Deque<Integer> expectedReceives = new ArrayDeque<>();

        Pair() {
            TestQp.connect(a, b);
            for (int i = 0; i < SIZE; i++) {
                modelA[i] = (byte) random.nextInt();
                modelB[i] = (byte) random.nextInt();
            }
            segment(bufferA).copyFrom(MemorySegment.ofArray(modelA));
            segment(bufferB).copyFrom(MemorySegment.ofArray(modelB));
        }

        MemorySegment segment(Buffer buffer) {
            return fixture.memory.asSlice(buffer.machine(), SIZE);
        }

        void post(long wrId) {
            int length = random.nextInt(1 << random.nextInt(1, 18));
            int at = random.nextInt(SIZE - length);
            int there = random.nextInt(SIZE - length);
            switch (random.nextInt(5)) {
                case 0 -> write(wrId, at, there, length);
                case 1 -> read(wrId, at, there, length);
                case 2 -> send(wrId, at, there, length);
                case 3 -> add(wrId, at & -8, there & -8);
                default -> swap(wrId, at & -8, there & -8);
            }
            expected.add(wrId);
        }

        void write(long wrId, int at, int there, int length) {
            System.arraycopy(modelA, at, modelB, there, length);
            rdma(wrId, SendWqeLayout.OPCODE_RDMA_WRITE, at, there, length);
        }

        void read(long wrId, int at, int there, int length) {
            System.arraycopy(modelB, there, modelA, at, length);
            rdma(wrId, SendWqeLayout.OPCODE_RDMA_READ, at, there, length);
        }

        void rdma(long wrId, int opcode, int at, int there, int length) {
            long wqe = a.begin(wrId, opcode, TestQp.SIGNALLED);
            SendWqeLayout.writeRemote(fixture.memory, wqe, bufferB.address() + there, bufferB.rkey());
            split(wqe, at, length);
            a.ring();
        }

        void send(long wrId, int at, int there, int length) {
            b.receive(wrId, bufferB, there, length);
            System.arraycopy(modelA, at, modelB, there, length);
            long wqe = a.begin(wrId, SendWqeLayout.OPCODE_SEND, TestQp.SIGNALLED);
            split(wqe, at, length);
            a.ring();
            expectedReceives.add(length);
        }

        // One to four pieces, some of them empty.
        void split(long wqe, int at, int length) {
            int pieces = random.nextInt(1, 5);
            int done = 0;
            for (int i = 0; i < pieces; i++) {
                int piece = i == pieces - 1 ? length - done : random.nextInt(length - done + 1);
                SendWqeLayout.writeSegment(
                        fixture.memory, wqe, i, bufferA.address() + at + done, piece, bufferA.lkey());
                done += piece;
            }
            SendWqeLayout.writeSegmentCount(fixture.memory, wqe, pieces);
        }

        void add(long wrId, int at, int there) {
            ByteBuffer model = ByteBuffer.wrap(modelB).order(ByteOrder.LITTLE_ENDIAN);
            long before = model.getLong(there);
            long addend = random.nextLong();
            model.putLong(there, before + addend);
            ByteBuffer.wrap(modelA).order(ByteOrder.LITTLE_ENDIAN).putLong(at, before);
            atomic(wrId, SendWqeLayout.OPCODE_FETCH_AND_ADD, at, there, addend, 0);
        }

        void swap(long wrId, int at, int there) {
            ByteBuffer model = ByteBuffer.wrap(modelB).order(ByteOrder.LITTLE_ENDIAN);
            long before = model.getLong(there);
            long expectedValue = random.nextBoolean() ? before : random.nextLong();
            long replacement = random.nextLong();
            if (before == expectedValue) {
                model.putLong(there, replacement);
            }
            ByteBuffer.wrap(modelA).order(ByteOrder.LITTLE_ENDIAN).putLong(at, before);
            int opcode = SendWqeLayout.OPCODE_COMPARE_AND_SWAP;
            atomic(wrId, opcode, at, there, expectedValue, replacement);
        }

        void atomic(long wrId, int opcode, int at, int there, long operand, long swap) {
            long wqe = a.begin(wrId, opcode, TestQp.SIGNALLED);
            SendWqeLayout.writeRemote(fixture.memory, wqe, bufferB.address() + there, bufferB.rkey());
            SendWqeLayout.writeAtomic(fixture.memory, wqe, operand, swap);
            a.segment(wqe, bufferA, at, 8);
            a.ring();
        }

        void poll() {
            for (WorkCompletion c = a.cq.poll(); c != null; c = a.cq.poll()) {
                assertThat(c.status()).as(c + ", seed " + seed).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(c.wrId()).as("seed " + seed).isEqualTo(expected.remove());
            }
            for (WorkCompletion c = b.cq.poll(); c != null; c = b.cq.poll()) {
                assertThat(c.status()).as(c + ", seed " + seed).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(c.byteCount()).isEqualTo(expectedReceives.remove());
            }
        }

        void compare() {
            byte[] realA = segment(bufferA).toArray(ValueLayout.JAVA_BYTE);
            byte[] realB = segment(bufferB).toArray(ValueLayout.JAVA_BYTE);
            assertThat(java.util.Arrays.mismatch(realA, modelA))
                    .as("a, seed " + seed)
                    .isEqualTo(-1);
            assertThat(java.util.Arrays.mismatch(realB, modelB))
                    .as("b, seed " + seed)
                    .isEqualTo(-1);
        }
    }

    @Test
    void everyByteIsWhereTheModelHasIt() {
        Pair[] pairs = new Pair[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            pairs[i] = new Pair();
        }
        for (int step = 0; step < STEPS; step++) {
            Pair pair = pairs[random.nextInt(PAIRS)];
            if (pair.expected.size() < 60) {
                pair.post(step);
            }
            if (random.nextInt(3) == 0) {
                fixture.hca.engine().doWork(fixture.now);
            }
            pair.poll();
            if (step % 500 == 0) {
                settle(pairs);
            }
        }
        settle(pairs);
    }

    private void settle(Pair[] pairs) {
        fixture.run();
        for (Pair pair : pairs) {
            pair.poll();
            assertThat(pair.expected).as("seed " + seed).isEmpty();
            pair.compare();
        }
    }
}
