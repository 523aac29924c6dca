package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.MemoryNetwork;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Eight HCAs write to one as fast as they may, through a queue of its port; time is simulated. */
class WireIncastTest {
    private static final int SENDERS = 8;
    private static final int MTU = 4096;
    private static final int MESSAGE = 64 << 10;
    private static final int UNDER_WAY = 8;
    private static final int ADDRESS = 0x0a000001;
    private static final double RATE_BYTES_PER_SECOND = 10e9 / 8;
    private static final long STEP_NANOS = 1_000;

    /** DCQCN takes some of its periods to share the rate out. */
    private static final long SETTLING_NANOS = 50_000_000;

    private static final long MEASURED_NANOS = 100_000_000;

    private final MemoryNetwork network = new MemoryNetwork(new SplittableRandom(1));
    private final HcaFixture receiver = hca(0);
    private final List<Sender> senders = new ArrayList<>();
    private long drops;

    /** LID 1 and on; each knows all. */
    private HcaFixture hca(int i) {
        Map<Integer, Integer> others = new HashMap<>();
        for (int other = 0; other <= SENDERS; other++) {
            if (other != i) {
                others.put(1 + other, ADDRESS + other);
            }
        }
        HcaLimits limits = new HcaLimits(64, 64, 64, 32, 16, 4096, 64, 8, 1 + i, MTU);
        return new HcaFixture(
                4 << 20,
                limits,
                new Network(new WireAddresses(List.of(ADDRESS + i), others), List.of(network.port(ADDRESS + i))));
    }

    /** One that keeps writes under way. */
    private final class Sender {
        final HcaFixture hca;
        final SteadyWrites writes;

        Sender(int i, Guest into) {
            hca = hca(i);
            Guest guest = hca.guest(1);
            QpLimits limits = QpLimits.of(2 * UNDER_WAY, 2 * UNDER_WAY).withSge(1, 1);
            TestQp qp = new TestQp(hca, guest, guest.cq(64), limits, 1);
            TestQp peer = new TestQp(receiver, into, into.cq(64), limits, 1);
            TestQp.connect(qp, peer, 7);
            writes = new SteadyWrites(qp, guest.buffer(MESSAGE), into.buffer(MESSAGE), UNDER_WAY);
        }
    }

    private void start(String portQueue) {
        Guest into = receiver.guest(1);
        for (int i = 1; i <= SENDERS; i++) {
            senders.add(new Sender(i, into));
        }
        assertThat(receiver.hca.impair(1, Links.WHOLE_PORT, LinkSettings.of(portQueue)))
                .isEqualTo(VerbsStatus.SUCCESS);
    }

    private void pass(long nanos) {
        for (long at = 0; at < nanos; at += STEP_NANOS) {
            for (Sender sender : senders) {
                sender.hca.now += STEP_NANOS;
                sender.writes.go();
                sender.hca.hca.engine().doWork(sender.hca.now);
            }
            receiver.now += STEP_NANOS;
            receiver.hca.engine().doWork(receiver.now);
        }
    }

    /** Bytes that each sender gets across in {@link #MEASURED_NANOS}. */
    private long[] shares() {
        pass(SETTLING_NANOS);
        senders.forEach(sender -> sender.writes.bytes = 0);
        long before = receiver.counter(Counter.LINK_QUEUE_DROPS);
        pass(MEASURED_NANOS);
        drops = receiver.counter(Counter.LINK_QUEUE_DROPS) - before;
        return senders.stream().mapToLong(sender -> sender.writes.bytes).toArray();
    }

    /** R. Jain and others, A quantitative measure of fairness, 1984: 1 when all have the same. */
    private static double jain(long... shares) {
        double sum = Arrays.stream(shares).asDoubleStream().sum();
        double squares =
                Arrays.stream(shares).asDoubleStream().map(one -> one * one).sum();
        return sum * sum / (shares.length * squares);
    }

    private static double utilisation(long... shares) {
        return Arrays.stream(shares).sum() / (RATE_BYTES_PER_SECOND * MEASURED_NANOS / 1e9);
    }

    /** Packets that the queue had no room for, of each that came through it in the measured time. */
    private double dropped(long... shares) {
        return drops / (Arrays.stream(shares).sum() / (double) MTU);
    }

    @Test
    void sendersThatAreSlowedDownShareThePortAndSeldomOverflowItsQueue() {
        start("rate=10Gbit queue=1MiB ecn=128KiB-1MiB");

        long[] shares = shares();

        assertThat(jain(shares))
                .as("Jain's index of %s", Arrays.toString(shares))
                .isGreaterThanOrEqualTo(0.9);
        // Each recovers from a notification more slowly than the queue drains.
        assertThat(utilisation(shares)).isGreaterThan(0.7);
        assertThat(dropped(shares)).isLessThan(0.02);
        assertThat(receiver.counter(Counter.NP_CNP_SENT)).isPositive();
    }

    /** What the marks are for: the same queue without them. */
    @Test
    void sendersThatNobodySlowsDownOverflowTheQueue() {
        start("rate=10Gbit queue=1MiB");

        long[] shares = shares();

        assertThat(dropped(shares)).isGreaterThan(0.05);
    }
}
