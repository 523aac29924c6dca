package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.MemoryNetwork;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.PacketPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Two HCAs on a network in memory: {@code a} has LIDs 1 and 2, {@code b} 3 and 4. */
final class WireFixture {
    static final int A = 0x0a000001;
    static final int B = 0x0a000003;

    final MemoryNetwork network;
    final HcaFixture a;
    final HcaFixture b;

    /** What was sent since {@link #watch}, lost or not. */
    final List<WirePacket> sent = new ArrayList<>();

    /** Packets that the HCAs have looked at. */
    long looks;

    /** Times that the HCAs have sent something: system calls, on UDP. */
    long sends;

    private boolean isWatched;
    private Predicate<WirePacket> lost = packet -> false;

    WireFixture(long seed) {
        network = new MemoryNetwork(new SplittableRandom(seed));
        a = hca(1, A, 3, B);
        b = hca(3, B, 1, A);
    }

    private HcaFixture hca(int lid, int address, int otherLid, int otherAddress) {
        HcaLimits limits = new HcaLimits(64, 64, 256, 32, 16, 4096, 64, 8, lid, 4096);
        return new HcaFixture(
                32 << 20,
                limits,
                new Network(
                        new WireAddresses(
                                List.of(address, address + 1),
                                Map.of(otherLid, otherAddress, otherLid + 1, otherAddress + 1)),
                        List.of(port(address), port(address + 1))));
    }

    private PacketPort port(int address) {
        return new WatchedPort(network.port(address), address, this::passes, () -> looks++, () -> sends++);
    }

    private boolean passes(WirePacket packet) {
        if (isWatched) {
            sent.add(packet);
        }
        return !lost.test(packet);
    }

    /** Forgets what was sent, and notes what is sent from now on. */
    void watch() {
        isWatched = true;
        sent.clear();
    }

    /** Loses these from now on. */
    void lose(Predicate<WirePacket> which) {
        lost = which;
    }

    /** Loses no more. */
    void loseNone() {
        lost = packet -> false;
    }

    /** Those of what was sent. */
    List<WirePacket> sent(Predicate<WirePacket> which) {
        return sent.stream().filter(which).toList();
    }

    /** One turn of each engine. */
    int turn() {
        return a.hca.engine().doWork(a.now) + b.hca.engine().doWork(b.now);
    }

    /** Lets both engines work until they find nothing more to do, without time passing. */
    void run() {
        int done = 1;
        for (int i = 0; done > 0; i++) {
            done = turn();
            assertThat(i).as("turns until idle").isLessThan(10_000_000);
        }
    }

    void pass(long nanos) {
        a.now += nanos;
        b.now += nanos;
        run();
    }
}
