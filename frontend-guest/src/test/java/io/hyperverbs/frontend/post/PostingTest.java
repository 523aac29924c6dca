package io.hyperverbs.frontend.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PostingTest {
    private static final int GUARD_BYTES = 4096;
    private static final QueueGeometry GEOMETRY = QueueGeometry.of(4, 4, 2, 2, 40);

    private static final WindowBinding BINDING = new WindowBinding(
            (MemoryRegion) Proxy.newProxyInstance(
                    MemoryRegion.class.getClassLoader(), new Class<?>[] {MemoryRegion.class}, (_, _, _) -> 0x77),
            4096,
            64,
            Set.of());

    private static final class OneKey implements WindowKey {
        int rkey;

        OneKey(int rkey) {
            this.rkey = rkey;
        }

        @Override
        public int rkey() {
            return rkey;
        }

        @Override
        public void rkey(int posted) {
            rkey = posted;
        }

        @Override
        public ProtectionDomain pd() {
            throw new UnsupportedOperationException("a poster asks for no PD");
        }

        @Override
        public Type type() {
            return Type.TWO;
        }

        @Override
        public String describe() {
            return "mw";
        }

        @Override
        public void close() {}
    }

    private final MemorySegment memory = Arena.ofAuto().allocate(GEOMETRY.totalBytes() + GUARD_BYTES, 64);
    private final SendRing sendRing = new SendRing(memory, 0, GEOMETRY);
    private final ReceiveRing receiveRing = new ReceiveRing(memory, 0, GEOMETRY);
    private final CachedQpState cached = new CachedQpState();
    private final CountingPort port = new CountingPort();
    private final PostTrace trace = new PostTrace(VerbTrace.off(), 1, "bypass");
    private final SendPosting sends = new SendPosting(sendRing, port, cached, 2, 40, false, trace);
    private final ReceivePosting receives = new ReceivePosting(receiveRing, port, cached, 2, trace);

    @BeforeEach
    void setUp() {
        cached.state(QpState.RTS);
    }

    @Nested
    class Sends {
        @Test
        void publishesWholeBatchWithOneDoorbell() {
            sends.start();
            for (int i = 0; i < 4; i++) {
                sends.send(i, SendFlags.SIGNALLED).sge(1, 2, 3);
            }

            assertThat(sends.post()).isEqualTo(VerbsStatus.SUCCESS);

            assertThat(port.doorbells).isEqualTo(1);
            assertThat(QueueIndexes.sendProducerAcquire(memory, 0)).isEqualTo(4);
        }

        @Test
        void refusesOneMoreThanFits() {
            sends.start();
            for (int i = 0; i < 5; i++) {
                sends.send(i, 0).sge(1, 2, 3);
            }

            assertThat(sends.post()).isEqualTo(VerbsStatus.ENOMEM);

            assertThat(port.doorbells).isZero();
            assertThat(QueueIndexes.sendProducerAcquire(memory, 0)).isZero();
            assertThat(sends.start().send(9, 0).post()).isEqualTo(VerbsStatus.SUCCESS);
        }

        @Test
        void fillsSlotsAgainAfterCompletionsAcrossTheEdge() {
            for (int round = 0; round < 10; round++) {
                sends.start().send(3L * round, 0);
                sends.send(3L * round + 1, 0);
                sends.send(3L * round + 2, 0);
                assertThat(sends.post()).isEqualTo(VerbsStatus.SUCCESS);
                int last = 3 * round + 2;
                assertThat(SendWqeLayout.wrId(memory, GEOMETRY.sendSlot(last))).isEqualTo(last);
                sendRing.freeUpTo(last + 1);
            }
        }

        @Test
        void refusesTooManyPieces() {
            sends.start().send(1, 0).sge(1, 2, 3).sge(1, 2, 3).sge(1, 2, 3);

            assertThat(sends.post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(port.doorbells).isZero();
        }

        @Test
        void refusesInlineBeyondTheLimitAndBeyondItsSource() {
            MemorySegment source = MemorySegment.ofArray(new byte[100]);

            assertThat(sends.start().send(1, 0).inline(source, 0, 41).post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start().send(1, 0).inline(source, 61, 40).post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start().send(1, 0).inline(source, -1, 4).post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start().send(1, 0).inline(source, 0, -1).post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start().send(1, 0).inline(source, 60, 40).post()).isEqualTo(VerbsStatus.SUCCESS);
        }

        @Test
        void refusesPiecesWithInlineAndInlineTwice() {
            MemorySegment source = MemorySegment.ofArray(new byte[8]);

            assertThat(sends.start()
                            .send(1, 0)
                            .inline(source, 0, 8)
                            .sge(1, 2, 3)
                            .post())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start()
                            .send(1, 0)
                            .sge(1, 2, 3)
                            .inline(source, 0, 8)
                            .post())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start()
                            .send(1, 0)
                            .inline(source, 0, 8)
                            .inline(source, 0, 8)
                            .post())
                    .isEqualTo(VerbsStatus.EINVAL);
        }

        @Test
        void refusesPieceWithoutRequestAndNegativeLength() {
            assertThat(sends.start().sge(1, 2, 3).post()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(sends.start().send(1, 0).sge(1, 2, -3).post()).isEqualTo(VerbsStatus.EINVAL);
        }

        @Test
        void startForgetsUnfinishedBatchAndItsMistake() {
            sends.start().send(1, 0).sge(1, 2, -1);
            sends.start().send(2, 0);

            assertThat(sends.post()).isEqualTo(VerbsStatus.SUCCESS);

            assertThat(port.posted).isEqualTo(1);
            assertThat(SendWqeLayout.wrId(memory, GEOMETRY.sendSlot(0))).isEqualTo(2);
        }

        @Test
        void windowsOfRefusedBatchesKeepTheirKeys() {
            OneKey one = new OneKey(0x1100);
            OneKey two = new OneKey(0x2200);
            sends.start();
            sends.bind(1, 0, one, 5, BINDING);
            sends.bind(2, 0, two, 6, BINDING);
            sends.bind(3, 0, one, 7, BINDING);
            assertThat(one.rkey).isEqualTo(0x1107);
            sends.send(4, 0).sge(1, 2, -1);

            assertThat(sends.post()).isEqualTo(VerbsStatus.EINVAL);

            assertThat(one.rkey).isEqualTo(0x1100);
            assertThat(two.rkey).isEqualTo(0x2200);
        }

        @Test
        void windowsOfPostedBatchesHaveTheirNewKeys() {
            OneKey one = new OneKey(0x1100);
            sends.start();
            sends.bind(1, 0, one, 5, BINDING);
            assertThat(sends.post()).isEqualTo(VerbsStatus.SUCCESS);

            sends.start();
            sends.bind(2, 0, one, 6, BINDING);
            sends.start();

            assertThat(one.rkey).isEqualTo(0x1105);
        }

        @Test
        void leavesNothingOfTheSlotsFormerRequest() {
            MemorySegment source = MemorySegment.ofArray(new byte[40]);
            sends.start()
                    .compareAndSwap(1, 0xff, 2, 3, 4, 5)
                    .inline(source, 0, 40)
                    .post();
            sendRing.reset();

            sends.start().send(7, SendFlags.SIGNALLED).post();

            long wqe = GEOMETRY.sendSlot(0);
            assertThat(SendWqeLayout.flags(memory, wqe)).isEqualTo(SendFlags.SIGNALLED);
            assertThat(SendWqeLayout.segmentCount(memory, wqe)).isZero();
            assertThat(SendWqeLayout.inlineBytes(memory, wqe)).isZero();
            assertThat(SendWqeLayout.rkey(memory, wqe)).isZero();
            assertThat(SendWqeLayout.expectedOrAddend(memory, wqe)).isZero();
        }

        @ParameterizedTest
        @EnumSource(QpState.class)
        void takesPostsFromRtsOn(QpState state) {
            cached.state(state);

            boolean taken = sends.start().send(1, 0).post() == VerbsStatus.SUCCESS;

            assertThat(taken).isEqualTo(state != QpState.RESET && state != QpState.INIT && state != QpState.RTR);
        }

        @Test
        void writesNothingBehindTheRings() {
            MemorySegment source = MemorySegment.ofArray(new byte[40]);
            source.fill((byte) 0x77);
            sends.start();
            receives.start();
            for (int i = 0; i < 6; i++) {
                sends.send(-1, 0xff).inline(source, 0, 40);
                receives.receive(-1).sge(-1, -1, 9).sge(-1, -1, 9).sge(-1, -1, 9);
            }
            sends.post();
            receives.post();

            MemorySegment guard = memory.asSlice(GEOMETRY.totalBytes());
            assertThat(guard.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        }
    }

    @Nested
    class Receives {
        @Test
        void fillsExactlyTheRing() {
            receives.start();
            for (int i = 0; i < 4; i++) {
                receives.receive(i).sge(1, 2, 3);
            }
            assertThat(receives.post()).isEqualTo(VerbsStatus.SUCCESS);
            assertThat(QueueIndexes.receiveProducerAcquire(memory, 0)).isEqualTo(4);

            assertThat(receives.start().receive(5).post()).isEqualTo(VerbsStatus.ENOMEM);
            receiveRing.freeOne();
            assertThat(receives.start().receive(5).post()).isEqualTo(VerbsStatus.SUCCESS);
            assertThat(ReceiveWqeLayout.wrId(memory, GEOMETRY.receiveSlot(4))).isEqualTo(5);
        }

        @Test
        void refusesTooManyPiecesAndNone() {
            assertThat(receives.start()
                            .receive(1)
                            .sge(1, 2, 3)
                            .sge(1, 2, 3)
                            .sge(1, 2, 3)
                            .post())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(receives.start().sge(1, 2, 3).post()).isEqualTo(VerbsStatus.EINVAL);
        }

        @ParameterizedTest
        @EnumSource(QpState.class)
        void takesPostsFromInitOn(QpState state) {
            cached.state(state);

            boolean taken = receives.start().receive(1).post() == VerbsStatus.SUCCESS;

            assertThat(taken).isEqualTo(state != QpState.RESET);
        }

        @Test
        void queueOfSizeZeroTakesNothing() {
            QueueGeometry none = QueueGeometry.of(4, 0, 1, 1, 0);
            ReceiveRing empty = new ReceiveRing(memory, 0, none);
            ReceivePosting poster = new ReceivePosting(empty, port, cached, 1, trace);

            assertThat(poster.start().receive(1).post()).isEqualTo(VerbsStatus.ENOMEM);
        }
    }

    private final class CountingPort implements QpPort {
        int doorbells;
        int posted;

        @Override
        public VerbsStatus postSend(int count) {
            doorbells++;
            posted += count;
            sendRing.publish(count);
            return VerbsStatus.SUCCESS;
        }

        @Override
        public VerbsStatus postReceive(int count) {
            posted += count;
            receiveRing.publish(count);
            return VerbsStatus.SUCCESS;
        }

        @Override
        public void close() {}
    }
}
