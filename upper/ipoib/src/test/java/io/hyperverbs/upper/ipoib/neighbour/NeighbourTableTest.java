package io.hyperverbs.upper.ipoib.neighbour;

import static io.hyperverbs.upper.ipoib.neighbour.NeighbourTable.NEVER;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourTable.REACHABLE_NANOS;
import static io.hyperverbs.upper.ipoib.neighbour.NeighbourTable.RETRANSMIT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.verbs.Gid;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NeighbourTableTest {
    private static final IpAddress A = IpAddress.parse("10.0.0.1");
    private static final IpAddress B = IpAddress.parse("10.0.0.2");
    private static final IpAddress C = IpAddress.parse("fe80::3");
    private static final HardwareAddress FIRST = hardware(11);
    private static final HardwareAddress SECOND = hardware(22);
    // Just before the clock wraps: only differences count.
    private static final long START = Long.MAX_VALUE - RETRANSMIT_NANOS / 2;

    private final RecordedActions actions = new RecordedActions();
    private final NeighbourTable table = new NeighbourTable(2, actions);
    private long now = START;

    private static HardwareAddress hardware(int qpn) {
        return new HardwareAddress(0, qpn, new Gid(Gid.LINK_LOCAL_PREFIX, qpn));
    }

    @Test
    void needsRoom() {
        assertThatThrownBy(() -> new NeighbourTable(0, actions)).isInstanceOf(IllegalArgumentException.class);
    }

    @Nested
    class InAbsent {
        @Test
        void finds() {
            assertThat(table.find(A, now)).isNull();
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.ABSENT);
            assertThat(table.size()).isZero();
            assertThat(table.due(now)).isEqualTo(NEVER);
            assertThat(table.advance(now)).isZero();
            assertThat(actions.take()).isEmpty();
        }

        @Test
        void learnsNothingFromRepliesAndAnnouncements() {
            assertThat(table.replied(A, FIRST, now)).isFalse();
            assertThat(table.announced(A, FIRST, now)).isFalse();
            assertThat(table.size()).isZero();
        }

        @Test
        void learnsNothingFromAProbe() {
            table.requested(IpAddress.UNSPECIFIED, FIRST, now);
            table.requested(IpAddress.UNSPECIFIED_IPV4, FIRST, now);
            table.requested(IpAddress.ALL_NODES, FIRST, now);

            assertThat(table.size()).isZero();
        }

        @Test
        void learnsFromARequest() {
            table.requested(A, FIRST, now);

            assertThat(table.state(A, now)).isEqualTo(NeighbourState.STALE);
            assertThat(actions.take()).isEmpty();
            assertThat(table.find(A, now)).isEqualTo(FIRST);
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.PROBE);
            assertThat(actions.take()).containsExactly("unicast 10.0.0.1 11");
        }
    }

    @Nested
    class InIncomplete {
        @BeforeEach
        void await() {
            table.await(A, 1, now);
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.INCOMPLETE);
            assertThat(actions.take()).containsExactly("multicast 10.0.0.1");
        }

        @Test
        void solicitsOnceForPacketsThatWaitTogether() {
            table.await(A, 2, now);
            table.await(A, 3, now);

            assertThat(table.find(A, now)).isNull();
            assertThat(actions.take()).isEmpty();
            assertThat(table.replied(A, FIRST, now)).isTrue();
            assertThat(actions.take()).containsExactly("transmit 1 11", "transmit 2 11", "transmit 3 11");
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.REACHABLE);
            assertThat(table.due(now)).isEqualTo(NEVER);
        }

        @Test
        void dropsTheOldestOfTooMany() {
            for (int packet = 2; packet <= 5; packet++) {
                table.await(A, packet, now);
            }

            assertThat(actions.take()).containsExactly("drop 1 QUEUE_FULL", "drop 2 QUEUE_FULL");
            assertThat(table.replied(A, FIRST, now)).isTrue();
            assertThat(actions.take()).containsExactly("transmit 3 11", "transmit 4 11", "transmit 5 11");
        }

        @Test
        void givesUpAfterThreeSeconds() {
            table.await(A, 2, now);
            for (int i = 1; i < NeighbourTable.MAX_SOLICITATIONS; i++) {
                assertThat(table.due(now)).isEqualTo(RETRANSMIT_NANOS);
                assertThat(table.advance(now + RETRANSMIT_NANOS - 1)).isZero();
                now += RETRANSMIT_NANOS;
                assertThat(table.due(now)).isZero();
                assertThat(table.advance(now)).isOne();
                assertThat(actions.take()).containsExactly("multicast 10.0.0.1");
            }
            now += RETRANSMIT_NANOS + 5;
            assertThat(table.due(now)).isZero();

            assertThat(table.advance(now)).isOne();

            assertThat(actions.take()).containsExactly("drop 1 UNREACHABLE", "drop 2 UNREACHABLE");
            assertThat(table.size()).isZero();
            assertThat(table.due(now)).isEqualTo(NEVER);
            table.await(A, 3, now);
            assertThat(actions.take()).containsExactly("multicast 10.0.0.1");
        }

        @Test
        void transmitsByAnAnnouncementOrARequestWithoutTrust() {
            table.await(C, 7, now);
            assertThat(table.announced(A, FIRST, now)).isTrue();
            table.requested(C, SECOND, now);

            assertThat(actions.take()).containsExactly("multicast fe80::3", "transmit 1 11", "transmit 7 22");
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.STALE);
            assertThat(table.state(C, now)).isEqualTo(NeighbourState.STALE);
        }

        @Test
        void dropsWhatWaitsWhenItsEntryMakesRoom() {
            table.requested(B, FIRST, now);
            table.requested(C, FIRST, now);

            assertThat(actions.take()).containsExactly("drop 1 TABLE_FULL");
            assertThat(table.due(now)).isEqualTo(NEVER);
        }

        @Test
        void dropsWhatWaitsWhenCleared() {
            table.requested(B, FIRST, now);

            table.clear();

            assertThat(actions.take()).containsExactly("drop 1 CLEARED");
            assertThat(table.size()).isZero();
            assertThat(table.due(now)).isEqualTo(NEVER);
        }
    }

    @Nested
    class InReachable {
        @BeforeEach
        void confirm() {
            table.requested(A, FIRST, now);
            assertThat(table.replied(A, FIRST, now)).isTrue();
        }

        @Test
        void findsWithoutProbingForThirtySeconds() {
            now += REACHABLE_NANOS - 1;

            assertThat(table.find(A, now)).isEqualTo(FIRST);
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.REACHABLE);
            assertThat(actions.take()).isEmpty();
        }

        @Test
        void isStaleAfterThirtySecondsAndProbedWhenUsed() {
            now += REACHABLE_NANOS;

            assertThat(table.state(A, now)).isEqualTo(NeighbourState.STALE);
            assertThat(table.due(now)).isEqualTo(NEVER);
            assertThat(table.find(A, now)).isEqualTo(FIRST);
            assertThat(table.state(A, now)).isEqualTo(NeighbourState.PROBE);
            assertThat(actions.take()).containsExactly("unicast 10.0.0.1 11");
        }

        @Test
        void isConfirmedAnewByAReply() {
            now += REACHABLE_NANOS - 1;
            assertThat(table.replied(A, SECOND, now)).isTrue();
            now += REACHABLE_NANOS - 1;

            assertThat(table.find(A, now)).isEqualTo(SECOND);
            assertThat(actions.take()).isEmpty();
        }

        @Test
        void isNotConfirmedByAnAnnouncement() {
            now += REACHABLE_NANOS - 1;
            assertThat(table.announced(A, FIRST, now)).isTrue();
            table.requested(A, FIRST, now);

            assertThat(table.state(A, now)).isEqualTo(NeighbourState.REACHABLE);
            assertThat(table.state(A, now + 1)).isEqualTo(NeighbourState.STALE);
        }

        @Test
        void isProbedAtTheAddressThatIsAnnounced() {
            assertThat(table.announced(A, SECOND, now)).isTrue();

            assertThat(table.find(A, now)).isEqualTo(SECOND);
            assertThat(actions.take()).containsExactly("unicast 10.0.0.1 22");
        }

        @Test
        void transmitsAtOnce() {
            table.await(A, 9, now);

            assertThat(actions.take()).containsExactly("transmit 9 11");
        }
    }

    @Nested
    class InProbe {
        @BeforeEach
        void probe() {
            table.requested(A, FIRST, now);
            assertThat(table.find(A, now)).isEqualTo(FIRST);
            assertThat(actions.take()).containsExactly("unicast 10.0.0.1 11");
        }

        @Test
        void usesTheOldAddressUntilItIsGone() {
            for (int i = 1; i < NeighbourTable.MAX_SOLICITATIONS; i++) {
                now += RETRANSMIT_NANOS;
                assertThat(table.advance(now)).isOne();
                assertThat(table.find(A, now)).isEqualTo(FIRST);
                assertThat(actions.take()).containsExactly("unicast 10.0.0.1 11");
            }
            now += RETRANSMIT_NANOS;

            assertThat(table.advance(now)).isOne();

            assertThat(table.find(A, now)).isNull();
            assertThat(actions.take()).isEmpty();
            assertThat(table.size()).isZero();
        }

        @Test
        void isReachableAfterAReply() {
            assertThat(table.replied(A, FIRST, now)).isTrue();

            assertThat(table.state(A, now)).isEqualTo(NeighbourState.REACHABLE);
            assertThat(table.due(now)).isEqualTo(NEVER);
        }

        @Test
        void countsSolicitationsAnewWhenProbedAgain() {
            now += RETRANSMIT_NANOS;
            assertThat(table.advance(now)).isOne();
            table.requested(A, SECOND, now);
            assertThat(table.find(A, now)).isEqualTo(SECOND);
            for (int i = 1; i < NeighbourTable.MAX_SOLICITATIONS; i++) {
                now += RETRANSMIT_NANOS;
                assertThat(table.advance(now)).isOne();
            }

            assertThat(table.state(A, now)).isEqualTo(NeighbourState.PROBE);
        }

        @Test
        void keepsDeadlinesOfEachNeighbour() {
            now += RETRANSMIT_NANOS / 4;
            table.await(B, 1, now);
            assertThat(table.due(now)).isEqualTo(RETRANSMIT_NANOS / 4 * 3);

            now += RETRANSMIT_NANOS / 4 * 3;
            assertThat(table.advance(now)).isOne();

            assertThat(table.due(now)).isEqualTo(RETRANSMIT_NANOS / 4);
            assertThat(actions.take()).containsExactly("multicast 10.0.0.2", "unicast 10.0.0.1 11");
        }
    }

    @Test
    void makesRoomByTheLeastRecentlyUsed() {
        table.requested(A, FIRST, now);
        table.requested(B, FIRST, now);
        assertThat(table.find(A, now)).isEqualTo(FIRST);

        table.requested(C, SECOND, now);

        assertThat(table.size()).isEqualTo(2);
        assertThat(table.state(B, now)).isEqualTo(NeighbourState.ABSENT);
        assertThat(table.state(A, now)).isEqualTo(NeighbourState.PROBE);
    }

    @Test
    void findsWithoutAllocating() {
        table.requested(A, FIRST, now);
        table.requested(C, FIRST, now);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        finds(20_000);
        long before = threads.getCurrentThreadAllocatedBytes();

        long found = finds(100_000);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
        assertThat(found).isEqualTo(200_000);
    }

    private long finds(int times) {
        long found = 0;
        for (int i = 0; i < times; i++) {
            found += table.find(A.high(), A.low(), now) == FIRST ? 1 : 0;
            found += table.find(C.high(), C.low(), now) == FIRST ? 1 : 0;
        }
        return found;
    }
}
