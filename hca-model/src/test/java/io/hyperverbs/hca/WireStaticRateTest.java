package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Static rates of address vectors; time is simulated, rates are those of whole IPv4 packets. */
class WireStaticRateTest {
    private static final int QKEY = 0x77;
    private static final int UNDER_WAY = 8;
    private static final long STEP_NANOS = 2_000;
    private static final long NANOS = 2_000_000;

    /** Headers of IPv4 and UDP, and the ICRC, which a seen packet is without. */
    private static final int OTHER_BYTES = 28 + 4;

    private static final int WRITE = 16 << 10;
    private static final int DATAGRAM = 4096;

    // Codes of ibv_rate.
    private static final int PORTS_OWN = 0;
    private static final int GBIT_2_5 = 2;
    private static final int GBIT_10 = 3;
    private static final int GBIT_40 = 7;
    private static final int GBIT_400 = 21;
    private static final int OF_NO_TABLE = 200;

    private final WireFixture wire = new WireFixture(5);
    private final Guest left = wire.a.guest(1);
    private final Guest right = wire.b.guest(1);
    private final Buffer from = left.buffer(WRITE);
    private final Buffer to = right.buffer(WRITE);

    /** A queue pair that always has something to send. */
    private abstract class Sender {
        final TestQp a;
        final TestQp b;
        private long bytes;

        Sender(QpType type) {
            QpLimits limits = QpLimits.of(2 * UNDER_WAY, 2 * UNDER_WAY).withSge(1, 1);
            a = TestQp.of(type, wire.a, left, left.cq(64), limits);
            b = TestQp.of(type, wire.b, right, right.cq(64), limits);
        }

        abstract void go();
    }

    private final class Writes extends Sender {
        private final SteadyWrites writes = new SteadyWrites(a, from, to, UNDER_WAY);

        Writes(QpType type, int rate) {
            super(type);
            a.staticRate = rate;
            if (type == QpType.UC) {
                TestQp.connectUc(a, b);
            } else {
                TestQp.connect(a, b, 7);
            }
        }

        @Override
        void go() {
            writes.go();
        }
    }

    /** By its handles in turn. */
    private final class Datagrams extends Sender {
        private final int[] handles;
        private final WorkCompletion completion = new WorkCompletion();
        private int posted;
        private int completed;

        Datagrams(int... rates) {
            super(QpType.UD);
            a.activate(QKEY);
            b.activate(QKEY);
            handles = Arrays.stream(rates).map(this::handle).toArray();
        }

        private int handle(int rate) {
            HcaCommands.Handled made =
                    wire.a.hca.createAh(left.pd, AddressAttributes.of(3).withStaticRate(rate));
            assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
            return made.number();
        }

        @Override
        void go() {
            while (a.cq.ring.hasNext()) {
                a.sends.freeUpTo(a.cq.ring.sqHead());
                assertThat(a.cq.take(completion)).isTrue();
                assertThat(completion.status()).isEqualTo(VerbsStatus.SUCCESS);
                completed++;
            }
            while (posted - completed < UNDER_WAY) {
                int handle = handles[posted % handles.length];
                a.datagram(posted, handle, b.qpn, QKEY, TestQp.SIGNALLED, from, DATAGRAM);
                posted++;
            }
        }
    }

    private Sender sender(QpType type, int rate) {
        return type == QpType.UD ? new Datagrams(rate) : new Writes(type, rate);
    }

    /** Lets them send for so long; each has {@link Sender#bytes} then. */
    private void pass(long nanos, Sender... senders) {
        for (Sender sender : senders) {
            sender.bytes = 0;
        }
        wire.lose(packet -> {
            for (Sender sender : senders) {
                sender.bytes +=
                        packet.destinationQpn() == sender.b.qpn ? packet.bytes().byteSize() + OTHER_BYTES : 0;
            }
            return false;
        });
        for (long at = 0; at < nanos; at += STEP_NANOS) {
            for (Sender sender : senders) {
                sender.go();
            }
            wire.a.now += STEP_NANOS;
            wire.b.now += STEP_NANOS;
            int _ = wire.turn();
        }
    }

    private double gigabits(Sender sender) {
        pass(NANOS, sender);
        return sender.bytes * 8.0 / NANOS;
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void isWhatGoesOut(QpType type) {
        assertThat(gigabits(sender(type, GBIT_2_5))).isEqualTo(2.5, within(2.5 * 0.05));
        assertThat(gigabits(sender(type, GBIT_10))).isEqualTo(10, within(10 * 0.05));
    }

    @ParameterizedTest
    @ValueSource(ints = {PORTS_OWN, GBIT_40, GBIT_400, OF_NO_TABLE})
    void ofThePortOrAboveItLimitsNothing(int rate) {
        for (QpType type : new QpType[] {QpType.RC, QpType.UC, QpType.UD}) {
            assertThat(gigabits(sender(type, rate))).as(type.name()).isGreaterThan(40);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void ofOneQueuePairSlowsNoOther(QpType type) {
        Sender free = sender(type, PORTS_OWN);
        double alone = gigabits(free);
        Sender slow = sender(type, GBIT_2_5);

        pass(NANOS, slow, free);

        assertThat(slow.bytes * 8.0 / NANOS).isEqualTo(2.5, within(2.5 * 0.05));
        assertThat(free.bytes * 8.0 / NANOS).isGreaterThan(alone * 0.95);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void orThatOfCongestionIsInForceWhicheverIsSlower(QpType type) {
        Sender sender = sender(type, GBIT_2_5);
        wire.network.congest(0.5);
        pass(NANOS, sender);
        wire.network.congest(0);
        pass(NANOS / 20, sender);
        assertThat(sender.bytes * 20 * 8.0 / NANOS).isLessThan(1.5);

        // DCQCN gives back the line's rate in the end, and the path's is left.
        pass(15 * NANOS, sender);
        assertThat(gigabits(sender)).isEqualTo(2.5, within(2.5 * 0.05));
    }

    @Test
    void ofEachHandleIsThatOfItsDatagrams() {
        // One of each in turn: 4 KiB at 2.5 Gbit/s and 4 KiB at 10, so both go out at 2 Gbit/s.
        assertThat(gigabits(new Datagrams(GBIT_2_5, GBIT_10))).isEqualTo(4, within(0.2));
        // What has no limit takes no time: each datagram with one is followed by one without.
        assertThat(gigabits(new Datagrams(GBIT_2_5, PORTS_OWN))).isEqualTo(5, within(0.25));
    }

    @Test
    void changesWithThePathInSqd() {
        Sender sender = sender(QpType.RC, GBIT_2_5);
        assertThat(gigabits(sender)).isEqualTo(2.5, within(0.125));

        sender.a.modify(QpAttributes.to(QpState.SQD));
        QpAttributes path = QpAttributes.none().with(QpAttribute.AV, wire.b.lid).withStaticRate(GBIT_10);
        sender.a.modify(path);
        sender.a.modify(QpAttributes.to(QpState.RTS));

        assertThat(wire.a.hca.queryQp(sender.a.qpn).staticRate()).isEqualTo(GBIT_10);
        assertThat(gigabits(sender)).isEqualTo(10, within(0.5));
    }

    /** A queue pair that waits for its rate costs the engine nothing meanwhile. */
    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void leavesTheEngineIdleWhileItWaits(QpType type) {
        Sender sender = sender(type, GBIT_2_5);
        sender.go();
        wire.run();

        assertThat(wire.a.hca.engine().nanosToNextTimer(wire.a.now)).isBetween(1L, 100_000L);
        assertThat(wire.a.hca.engine().doWork(wire.a.now)).isZero();
    }
}
