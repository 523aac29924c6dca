package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.UdQueuePair;
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
    private static final int GROUP_ADDRESS = 0xef01_0203;

    private enum Flood {
        WRONG_ICRC,
        EMPTY,
        NO_QUEUE_PAIR,
        OF_NO_PEER,
        WRONG_QKEY,
        NO_RECEIVE,
        GROUP,
        MANAGEMENT,
        FORGED_CNP,
        FORGED_DUPLICATE,
        FORGED_GAP,
        FORGED_ACK
    }

    private final HostileScene scene = new HostileScene();
    private final HcaFixture flooded = scene.wire.b;

    private void send(Flood flood, int i) {
        WireAttacker attacker = scene.attacker.from(WireAttacker.STRANGER).to(WireFixture.B);
        TestQp rc = scene.rc;
        ForgedPacket send = new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn, 64);
        switch (flood) {
            case WRONG_ICRC -> attacker.send(send.bytes(), 1 + i);
            case EMPTY -> attacker.sendRaw(new byte[0]);
            case NO_QUEUE_PAIR -> attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, 3 + i, 0, 64));
            case OF_NO_PEER -> attacker.send(send);
            case WRONG_QKEY -> attacker.send(datagram(scene.ud.qpn, 1));
            case NO_RECEIVE -> attacker.send(datagram(scene.ud.qpn, HostileScene.QKEY));
            case GROUP -> attacker.to(GROUP_ADDRESS).send(datagram(UdQueuePair.MULTICAST_QPN, HostileScene.QKEY));
            case MANAGEMENT ->
                attacker.send(new ForgedPacket(PacketOpcode.UD_SEND_ONLY, 1, 0, 256).deth(ManagementDatagram.QKEY, 1));
            case FORGED_CNP -> attacker.from(WireFixture.A).send(new ForgedPacket(PacketOpcode.CNP, rc.qpn, 0, 0));
            case FORGED_DUPLICATE ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn - 1 - i, 0));
            case FORGED_GAP ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn + 1 + i, 0));
            case FORGED_ACK ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_ACKNOWLEDGE, rc.qpn, scene.rc.psn + i, 0).aeth(i, i));
        }
    }

    private static ForgedPacket datagram(int qpn, int qkey) {
        return new ForgedPacket(PacketOpcode.UD_SEND_ONLY, qpn, 0, 64).deth(qkey, 9);
    }

    private void join() {
        assertThat(flooded.hca
                        .attachMulticast(scene.ud.qpn, Gid.ofIpv4(GROUP_ADDRESS), 0xc005)
                        .status())
                .isEqualTo(VerbsStatus.SUCCESS);
        // All receives are taken, as nobody posts others.
        for (int i = 0; i < HostileScene.RECEIVES; i++) {
            send(Flood.NO_RECEIVE, i);
        }
        scene.wire.run();
    }

    /** Two queue pairs of a guest on the flooded HCA, and how many writes between them are done. */
    private final class Local {
        final TestQp from;
        final TestQp to;
        final Buffer source;
        final Buffer destination;
        final WorkCompletion completion = new WorkCompletion();
        long done;

        Local(Guest guest) {
            from = new TestQp(flooded, guest);
            to = new TestQp(flooded, guest);
            source = guest.buffer(4096);
            destination = guest.buffer(4096);
            TestQp.connect(from, to);
        }

        void fill() {
            for (int i = 0; i < 32; i++) {
                post();
            }
        }

        private void post() {
            from.rdma(
                    done,
                    SendWqeLayout.OPCODE_RDMA_WRITE,
                    TestQp.SIGNALLED,
                    source,
                    64,
                    destination.address(),
                    destination.rkey());
        }

        void take() {
            while (from.cq.take(completion)) {
                assertThat(completion.status()).isEqualTo(VerbsStatus.SUCCESS);
                done++;
                post();
            }
        }
    }

    private int turn() {
        flooded.now += 10_000;
        return flooded.hca.engine().doWork(flooded.now);
    }

    @Test
    void aTurnLooksAtSoManyPacketsAndNoMore() {
        for (int i = 0; i < SOCKET; i++) {
            send(Flood.OF_NO_PEER, i);
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
            send(Flood.EMPTY, i);
        }

        assertThat(turn()).isPositive();
        assertThat(flooded.hca.engine().nanosToNextTimer(flooded.now)).isZero();
        scene.wire.run();
        assertThat(flooded.counter(Counter.RX_DROPPED_PACKETS)).isEqualTo(SOCKET);
    }

    @Test
    void aBatchThatIsLeftIsNotLostWhenALinkIsImpaired() {
        for (int i = 0; i < SOCKET; i++) {
            send(Flood.OF_NO_PEER, i);
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
        join();
        Local local = new Local(scene.other);
        local.fill();
        for (int i = 0; i < 200; i++) {
            for (int n = 0; n < 200; n++) {
                send(flood, i);
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
        join();
        Local victim = new Local(scene.victim);
        Local other = new Local(scene.other);
        victim.fill();
        other.fill();
        for (int i = 0; i < 1_000; i++) {
            for (int n = 0; n < 100; n++) {
                send(flood, n);
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
        join();
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
                send(flood, n);
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
        join();
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
                    send(flood, n);
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
