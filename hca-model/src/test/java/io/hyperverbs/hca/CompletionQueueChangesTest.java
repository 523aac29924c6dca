package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.HcaFixture.TestCq;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resizing and moderation. */
class CompletionQueueChangesTest {
    private static final int ENTRIES = 8;

    private final HcaFixture fixture = new HcaFixture();
    private Guest guest;
    private TestCq cq;
    private TestQp a;
    private Buffer buffer;
    private long written;

    @BeforeEach
    void connect() {
        guest = fixture.guest(1);
        cq = guest.cq(ENTRIES);
        a = new TestQp(fixture, guest, cq, QpLimits.of(64, 64), 1);
        TestQp.connect(a, new TestQp(fixture, fixture.guest(2)));
        buffer = guest.buffer(4096);
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            a.rdma(written++, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);
        }
        fixture.run();
    }

    private List<String> successes(long first, int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add("RDMA_WRITE " + (first + i) + " SUCCESS");
        }
        return all;
    }

    private List<String> completionEvent() {
        return List.of("COMPLETION " + cq.number);
    }

    @Nested
    class Resizing {
        /** As a driver does it, into memory that is not clean. */
        private VerbsStatus resize(int entries) {
            long bytes = CqHeaderLayout.totalBytes(entries);
            long ring = fixture.allocate(bytes);
            MemorySegment other = fixture.memory.asSlice(ring, bytes);
            other.fill((byte) 0x5a);
            cq.ring.copyHeadTo(other);
            VerbsStatus status = fixture.hca.resizeCq(cq.number, ring, entries);
            if (status == VerbsStatus.SUCCESS) {
                cq.ring.moveTo(other, entries);
            }
            return status;
        }

        @ParameterizedTest
        @ValueSource(ints = {8, 16, 64, 4096})
        void takesEntriesAlong(int entries) {
            write(3);
            cq.drain();
            write(7);

            assertThat(resize(entries)).isEqualTo(VerbsStatus.SUCCESS);
            write(1);

            assertThat(cq.drain()).isEqualTo(successes(3, 8));
        }

        @Test
        void changesNothingWhenRefused() {
            write(8);

            assertThat(resize(4)).isEqualTo(VerbsStatus.EINVAL);

            assertThat(cq.drain()).isEqualTo(successes(0, 8));
            write(8);
            assertThat(cq.drain()).isEqualTo(successes(8, 8));
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, 3, 8192, Integer.MIN_VALUE})
        void refusesImpossibleSizes(int entries) {
            assertThat(fixture.hca.resizeCq(cq.number, fixture.allocate(4096), entries))
                    .isEqualTo(VerbsStatus.EINVAL);
        }

        @ParameterizedTest
        @ValueSource(longs = {-64, 1, Long.MAX_VALUE, 1L << 40})
        void refusesMemoryThatIsNotThere(long address) {
            assertThat(fixture.hca.resizeCq(cq.number, address, 16)).isEqualTo(VerbsStatus.EINVAL);
        }

        @ParameterizedTest
        @ValueSource(ints = {-9, 1, 1000, Integer.MIN_VALUE, Integer.MAX_VALUE})
        void doesNotBelieveAnImpossibleConsumerIndex(int offset) {
            write(4);
            long ring = fixture.allocate(CqHeaderLayout.totalBytes(64));
            CqHeaderLayout.consumerIndexRelease(fixture.memory, ring, 4 + offset);

            assertThat(fixture.hca.resizeCq(cq.number, ring, 64)).isEqualTo(VerbsStatus.EINVAL);

            assertThat(cq.drain()).isEqualTo(successes(0, 4));
        }

        @Test
        void touchesTheOldMemoryNoMore() {
            write(2);
            MemorySegment old = fixture.memory.asSlice(cq.ringAddress, CqHeaderLayout.totalBytes(ENTRIES));
            byte[] before = old.toArray(ValueLayout.JAVA_BYTE);

            resize(64);
            write(20);

            assertThat(old.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            assertThat(cq.drain()).isEqualTo(successes(0, 22));
        }

        @Test
        void ofAnAbsentQueueIsRefused() {
            assertThat(fixture.hca.resizeCq(99, fixture.allocate(4096), 16)).isEqualTo(VerbsStatus.ENOENT);
        }
    }

    @Nested
    class Moderated {
        private void moderate(int count, int periodMicros) {
            assertThat(fixture.hca.moderateCq(cq.number, count, periodMicros)).isEqualTo(VerbsStatus.SUCCESS);
        }

        private void arm() {
            cq.arm(false);
            fixture.run();
        }

        @Test
        void waitsForItsCount() {
            moderate(3, 0);
            arm();
            write(2);
            assertThat(fixture.events()).isEmpty();

            write(1);

            assertThat(fixture.events()).isEqualTo(completionEvent());
            write(3);
            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void waitsForItsPeriodFromTheFirstOn() {
            moderate(100, 50);
            arm();
            fixture.pass(1_000_000);
            write(1);
            fixture.pass(30_000);
            write(1);
            fixture.pass(19_999);
            assertThat(fixture.events()).isEmpty();

            // One tick of the wheel late at most.
            fixture.pass(1 + 2 * 8_192);

            assertThat(fixture.events()).isEqualTo(completionEvent());
        }

        @Test
        void countEndsThePeriod() {
            moderate(2, 50);
            arm();
            write(2);
            assertThat(fixture.events()).isEqualTo(completionEvent());

            fixture.pass(1_000_000);

            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void periodOfAnEarlierArmingGivesNoEvent() {
            moderate(3, 50);
            arm();
            write(1);
            cq.drain();
            arm();

            fixture.pass(1_000_000);

            assertThat(fixture.events()).isEmpty();
        }

        @Test
        void completionsThereAtArmingBeginThePeriod() {
            moderate(3, 50);
            write(2);
            arm();

            fixture.pass(50_000 + 2 * 8_192);

            assertThat(fixture.events()).isEqualTo(completionEvent());
        }

        @Test
        void aLaterArmForSolicitedForgetsNothing() {
            moderate(3, 0);
            arm();
            write(2);
            cq.arm(true);
            fixture.run();

            write(1);

            assertThat(fixture.events()).isEqualTo(completionEvent());
        }

        @Test
        void aShorterPeriodBeginsAnew() {
            moderate(0, 60_000);
            arm();
            write(1);

            moderate(0, 10);
            fixture.pass(10_000 + 2 * 8_192);

            assertThat(fixture.events()).isEqualTo(completionEvent());
        }

        @Test
        void destroyedQueuesLeaveNoTimer() {
            TestCq other = guest.cq(4);
            TestQp qp = new TestQp(fixture, guest, other, QpLimits.of(8, 8), 1);
            TestQp.connect(qp, new TestQp(fixture, fixture.guest(3)));
            fixture.hca.moderateCq(other.number, 0, 50);
            other.arm(false);
            qp.rdma(1, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);
            fixture.run();
            fixture.hca.destroyQp(qp.qpn);
            fixture.hca.destroyCq(other.number);

            fixture.pass(1_000_000);

            assertThat(fixture.events()).isEmpty();
            assertThat(fixture.hca.engine().nanosToNextTimer(fixture.now)).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void engineWakesForThePeriod() {
            moderate(0, 50);
            arm();
            write(1);

            assertThat(fixture.hca.engine().nanosToNextTimer(fixture.now)).isBetween(50_000L, 50_000L + 2 * 8_192);
        }

        @Test
        void refusesWhatIsOutOfRange() {
            for (int[] bad : new int[][] {{-1, 0}, {0, -1}, {65536, 0}, {0, 65536}}) {
                assertThat(fixture.hca.moderateCq(cq.number, bad[0], bad[1])).isEqualTo(VerbsStatus.EINVAL);
            }
            assertThat(fixture.hca.moderateCq(99, 1, 1)).isEqualTo(VerbsStatus.ENOENT);
        }
    }
}
