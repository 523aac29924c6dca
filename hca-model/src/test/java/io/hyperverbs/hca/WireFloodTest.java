package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.PacketFlood.Flood;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets of strangers, more than an HCA can look at. */
class WireFloodTest {
    private static final int MOST_IN_A_TURN = 128;
    private static final int SOCKET = 1000;
    private static final int ROUNDS = 20;
    private static final int ANSWER_BYTES = 600;

    private final HostileScene scene = new HostileScene();
    private final PacketFlood strangers = new PacketFlood(scene);
    private final HcaFixture flooded = scene.wire.b;

    private int turn() {
        flooded.now += 10_000;
        return flooded.hca.engine().doWork(flooded.now);
    }

    @Test
    void aTurnLooksAtSoManyPacketsAndNoMore() {
        for (int i = 0; i < SOCKET; i++) {
            strangers.send(Flood.OF_NO_PEER, i);
        }
        long before = flooded.counter(Counter.UNCONNECTED_REQUESTS);

        int turns = 0;
        while (flooded.counter(Counter.UNCONNECTED_REQUESTS) - before < SOCKET) {
            long seen = flooded.counter(Counter.UNCONNECTED_REQUESTS);
            assertThat(turn()).isPositive();
            assertThat(flooded.counter(Counter.UNCONNECTED_REQUESTS) - seen).isBetween(1L, (long) MOST_IN_A_TURN);
            turns++;
        }

        assertThat(turns).isEqualTo((SOCKET + MOST_IN_A_TURN - 1) / MOST_IN_A_TURN);
    }

    @Test
    void aBatchThatIsLeftKeepsTheEngineAwake() {
        for (int i = 0; i < SOCKET; i++) {
            strangers.send(Flood.EMPTY, i);
        }

        assertThat(turn()).isPositive();
        assertThat(flooded.hca.engine().nanosToNextTimer(flooded.now)).isZero();
        scene.wire.run();
        assertThat(flooded.counter(Counter.RX_DROPPED_PACKETS)).isEqualTo(SOCKET);
    }

    @Test
    void aBatchThatIsLeftIsNotLostWhenALinkIsImpaired() {
        for (int i = 0; i < SOCKET; i++) {
            strangers.send(Flood.OF_NO_PEER, i);
        }
        int _ = turn();

        assertThat(flooded.hca.impair(1, WireFixture.A, LinkSettings.of("delay=1ms")))
                .isEqualTo(VerbsStatus.SUCCESS);
        scene.wire.run();

        assertThat(flooded.counter(Counter.UNCONNECTED_REQUESTS)).isEqualTo(SOCKET);
    }

    @ParameterizedTest
    @EnumSource(Flood.class)
    void guestsOfTheHcaHaveTheirTurns(Flood flood) {
        strangers.join();
        BusyGuest local = new BusyGuest(flooded, scene.other);
        local.fill();
        for (int i = 0; i < 200; i++) {
            for (int n = 0; n < 200; n++) {
                strangers.send(flood, i);
            }
            int _ = turn();
            local.take();
        }

        // A turn of a queue pair carries several, and a turn of the engine several of these.
        assertThat(local.done).isGreaterThan(800);
        scene.expectAlive();
    }

    /** A stranger must not be able to slow a guest down by its queue pairs' numbers. */
    @ParameterizedTest
    @EnumSource(
            value = Flood.class,
            names = {"OF_NO_PEER", "WRONG_QKEY", "NO_RECEIVE", "GROUP"})
    void aGuestIsNotChargedForPacketsThatItDoesNotTake(Flood flood) {
        strangers.join();
        BusyGuest victim = new BusyGuest(flooded, scene.victim);
        BusyGuest other = new BusyGuest(flooded, scene.other);
        victim.fill();
        other.fill();
        for (int i = 0; i < 1_000; i++) {
            for (int n = 0; n < 100; n++) {
                strangers.send(flood, n);
            }
            int _ = turn();
            victim.take();
            other.take();
        }

        assertThat(victim.done).isGreaterThan(other.done * 8 / 10);
    }

    @ParameterizedTest
    @EnumSource(Flood.class)
    void noPacketAllocates(Flood flood) {
        strangers.join();
        long _ = allocated(flood);

        long packets = ROUNDS * SOCKET;
        // The test's network allocates for each packet that is sent, as one ACK for all duplicates of a turn.
        long answers = flood == Flood.FORGED_DUPLICATE ? ROUNDS * (SOCKET / MOST_IN_A_TURN + 1) : 0;

        assertThat(allocated(flood))
                .as("bytes for %d packets", packets)
                .isLessThan(packets / 4 + answers * ANSWER_BYTES);
    }

    private long allocated(Flood flood) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long bytes = 0;
        for (int i = 0; i < ROUNDS; i++) {
            for (int n = 0; n < SOCKET; n++) {
                strangers.send(flood, n);
            }
            long before = threads.getThreadAllocatedBytes(thread);
            while (turn() > 0) {
                // All of them.
            }
            bytes += threads.getThreadAllocatedBytes(thread) - before;
        }
        return bytes;
    }

    /** Requests over the wire get through beside as many packets of strangers as there is room for. */
    @ParameterizedTest
    @EnumSource(Flood.class)
    void connectionsOfOthersCompleteBesideIt(Flood flood) {
        strangers.join();
        WireFixture wire = scene.wire;
        Guest near = wire.a.guest(7);
        TestQp a = new TestQp(wire.a, near);
        TestQp b = new TestQp(wire.b, scene.other);
        TestQp.connect(a, b);
        Buffer from = near.buffer(4096);
        List<WorkCompletion> done = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            wire.a.memory.set(ValueLayout.JAVA_INT, from.machine(), i + 1);
            a.rdma(
                    i,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    TestQp.SIGNALLED,
                    from,
                    4096,
                    scene.secret.address(),
                    scene.secret.rkey());
            for (int turns = 0; done.size() == i; turns++) {
                assertThat(turns).as("turns for one write").isLessThan(10);
                for (int n = 0; n < 100; n++) {
                    strangers.send(flood, n);
                }
                int _ = wire.turn();
                wire.a.now += 10_000;
                wire.b.now += 10_000;
                WorkCompletion completion = a.cq.poll();
                if (completion != null) {
                    done.add(completion);
                }
            }
            assertThat(done.getLast().status()).isEqualTo(VerbsStatus.SUCCESS);
            assertThat(wire.b.memory.get(ValueLayout.JAVA_INT, scene.secret.machine()))
                    .isEqualTo(i + 1);
        }
        scene.expectAlive();
    }
}
