package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Overrun and arming. */
class CompletionQueueTest {
    private final HcaFixture fixture = new HcaFixture();
    private Guest guest;
    private TestCq cq;
    private TestQp a;
    private TestQp b;
    private Buffer buffer;

    @BeforeEach
    void connect() {
        guest = fixture.guest(1);
        cq = guest.cq(4);
        a = new TestQp(fixture, guest, cq, QpLimits.of(64, 64), 1);
        b = new TestQp(fixture, fixture.guest(2));
        TestQp.connect(a, b);
        buffer = guest.buffer(4096);
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            a.rdma(i, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);
        }
        fixture.run();
    }

    private void receiveOne(int flags) {
        Buffer from = b.guest.buffer(64);
        a.receive(70, buffer, 0, 64);
        b.send(7, flags, from, 0, 8);
        fixture.run();
    }

    @Nested
    class Overrun {
        @Test
        void breaksTheQueueOnceAndOverwritesNothing() {
            write(4);
            long bytes = CqHeaderLayout.totalBytes(4);
            MemorySegment ring = fixture.memory.asSlice(cq.ringAddress, bytes);
            byte[] full = ring.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);

            write(3);

            assertThat(ring.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).isEqualTo(full);
            assertThat(fixture.events()).containsExactly("CQ_ERR " + cq.number, "QP_FATAL " + a.qpn);
            assertThat(a.state()).isEqualTo(QpState.ERR);
            assertThat(b.state()).isEqualTo(QpState.RTS);
            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void takesEveryAttachedQueuePairAlong() {
            TestQp other = new TestQp(fixture, guest, cq, QpLimits.of(8, 8), 1);
            other.init(HcaFixture.ALL_REMOTE);
            write(5);

            assertThat(other.state()).isEqualTo(QpState.ERR);
            assertThat(fixture.events())
                    .containsExactlyInAnyOrder("CQ_ERR " + cq.number, "QP_FATAL " + a.qpn, "QP_FATAL " + other.qpn);
        }

        @ParameterizedTest
        @ValueSource(ints = {5, -1, Integer.MIN_VALUE, 1000})
        void impossibleConsumerIndexIsNotBelieved(int index) {
            write(4);
            CqHeaderLayout.consumerIndexRelease(fixture.memory, cq.ringAddress, index);

            write(1);

            assertThat(fixture.events()).contains("CQ_ERR " + cq.number);
        }

        @Test
        void ofTheResponderFailsTheSender() {
            Buffer from = b.guest.buffer(64);
            for (int i = 0; i < 5; i++) {
                a.receive(70 + i, buffer, 0, 64);
                b.send(i, SendFlags.NONE, from, 0, 8);
            }
            fixture.run();

            assertThat(b.cq.drain()).containsExactly("SEND 4 REM_OP_ERR");
            assertThat(a.state()).isEqualTo(QpState.ERR);
            assertThat(b.state()).isEqualTo(QpState.ERR);
        }
    }

    @Nested
    class Arming {
        @Test
        void findsACompletionThatCameBetweenPollAndArm() {
            write(1);

            cq.arm(false);
            fixture.run();

            assertThat(fixture.events()).containsExactly("COMPLETION " + cq.number);
        }

        @Test
        void ignoresCompletionsAlreadyTaken() {
            write(2);
            cq.drain();

            cq.arm(false);
            fixture.run();

            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void forSolicitedFindsOneThatIsThere() {
            receiveOne(SendFlags.SOLICITED);
            receiveOne(SendFlags.NONE);

            cq.arm(true);
            fixture.run();

            assertThat(fixture.events()).containsExactly("COMPLETION " + cq.number);
        }

        @Test
        void forSolicitedDoesNotFindOthers() {
            receiveOne(SendFlags.NONE);

            cq.arm(true);
            fixture.run();

            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void eventsOfOneQueueAreCoalescedUntilRead() {
            for (int i = 0; i < 50; i++) {
                cq.arm(false);
                fixture.run();
                write(1);
                cq.drain();
            }

            assertThat(fixture.events()).containsExactly("COMPLETION " + cq.number);
            cq.arm(false);
            fixture.run();
            write(1);
            assertThat(fixture.events()).containsExactly("COMPLETION " + cq.number);
        }

        @Test
        void anArmWordIsTakenOnce() {
            cq.arm(false);
            fixture.run();
            write(1);
            cq.drain();
            assertThat(fixture.events()).hasSize(1);

            guest.doorbell.ring(cq.slot);
            fixture.run();
            write(1);

            assertThat(fixture.events()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, 8192, Integer.MIN_VALUE})
    void impossibleSizesAreRefused(int entries) {
        assertThat(fixture.hca.createCq(guest.uar, 0, entries).status()).isEqualTo(VerbsStatus.EINVAL);
    }
}
