package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one domain can make the engine do before it looks at another one. */
class EngineBoundsTest {
    private static final int ADD = SendWqeLayout.OPCODE_FETCH_AND_ADD;
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final long TICK_NANOS = 8192;
    private static final HcaLimits LIMITS = new HcaLimits(256, 256, 512, 32, 32, 4096, 64, 8, 1, 2048);

    private final HcaFixture fixture = new HcaFixture(64 << 20, LIMITS);
    private final Guest victim = fixture.guest(1);
    private final Guest attacker = fixture.guest(2);
    private final TestQp a = new TestQp(fixture, victim);
    private final Buffer own = victim.buffer(4096);

    private void connectToItself(TestQp qp) {
        qp.init(HcaFixture.ALL_REMOTE);
        qp.rtr(qp);
        qp.rts();
    }

    private void write(long wrId) {
        a.rdma(wrId, WRITE, SIGNALLED, own, 8, own.address(), own.rkey());
    }

    private int turn() {
        return fixture.hca.engine().doWork(fixture.now);
    }

    private void ringAll(Guest guest) {
        ringAll(fixture, guest);
    }

    private static void ringAll(HcaFixture of, Guest guest) {
        for (int slot = 0; slot < UarLayout.SLOTS; slot++) {
            UarLayout.ring(of.memory, guest.page, slot);
        }
    }

    @Test
    void aSpinOnAllDoorbellsTakesAWordOfThemInATurn() {
        connectToItself(a);
        ringAll(attacker);
        write(7);

        turn();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(fixture.counter(Counter.UNKNOWN_DOORBELLS)).isBetween(1L, 128L);
    }

    @Test
    void manyPagesOfADomainRingNoMoreThanOne() {
        connectToItself(a);
        List<Guest> pages = new ArrayList<>(List.of(attacker));
        for (int i = 0; i < 7; i++) {
            pages.add(fixture.guest(2));
        }
        pages.forEach(this::ringAll);
        write(7);

        turn();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(fixture.counter(Counter.UNKNOWN_DOORBELLS)).isBetween(1L, 128L);
    }

    @Test
    void noDoorbellIsLost() {
        ringAll(attacker);

        fixture.run();

        assertThat(fixture.counter(Counter.UNKNOWN_DOORBELLS)).isEqualTo(UarLayout.SLOTS);
    }

    /** Words named in the summary that hold nothing: whoever lies there pays in its own turns. */
    @Test
    void wordsWithoutDoorbellsNameNothingAndTakeTheirTime() {
        connectToItself(a);
        ringAll(attacker);
        for (int word = 0; word < 64; word++) {
            long _ = UarLayout.takeWord(fixture.memory, attacker.page, word);
        }
        write(7);

        turn();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        // 16 of the 64 each turn: the other 48 are in three more.
        assertThat(List.of(turn(), turn(), turn(), turn())).containsExactly(16, 16, 16, 0);
        assertThat(fixture.counter(Counter.UNKNOWN_DOORBELLS)).isZero();
    }

    @Test
    void anHcaWithoutPagesHasNothingToDo() {
        HcaFixture empty = new HcaFixture();

        assertThat(empty.hca.engine().doWork(empty.now)).isZero();

        Guest first = empty.guest(1);
        ringAll(empty, first);
        empty.run();
        assertThat(empty.counter(Counter.UNKNOWN_DOORBELLS)).isEqualTo(UarLayout.SLOTS);
    }

    @Test
    void bareDoorbellsAreTakenOffTheShareOfWhoRings() {
        TestQp busy = new TestQp(fixture, attacker);
        connectToItself(a);
        connectToItself(busy);
        Buffer theirs = attacker.buffer(4096);
        int done = 0;
        int theirDone = 0;
        for (int i = 0; i < 4000; i++) {
            while (a.sends.free() > 0) {
                write(1);
            }
            while (busy.sends.free() > 0) {
                busy.rdma(1, WRITE, SIGNALLED, theirs, 8, theirs.address(), theirs.rkey());
            }
            ringAll(attacker);
            turn();
            done += take(a);
            theirDone += take(busy);
        }

        // 16 doorbells a turn cost 0.8 requests of about 20.
        assertThat((double) done / theirDone).isBetween(1.02, 1.08);
    }

    private static int take(TestQp qp) {
        int count = 0;
        while (qp.cq.ring.hasNext()) {
            qp.sends.freeUpTo(qp.cq.ring.sqHead());
            assertThat(qp.cq.poll()).isNotNull();
            count++;
        }
        return count;
    }

    @Test
    void aFloodOfTinyMessagesIsLeftForANewcomer() {
        List<TestQp> flood = flood(16, 8);
        connectToItself(a);
        turn();
        int before = flood.stream().mapToInt(EngineBoundsTest::take).sum();
        assertThat(before).isPositive();

        write(7);
        turn();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
    }

    @Test
    void aNewcomerWaitsForOneTinyMessage() {
        connectToItself(a);
        List<TestQp> floods = flood(16, 8);
        floods.addAll(flood(fixture.guest(3), 16, 8));
        turn();
        // The engine reads its clock as a turn begins, when it has taken the doorbells.
        boolean[] begins = {false};
        fixture.hca.engine().useClock(() -> {
            if (begins[0]) {
                a.ring();
            }
            return fixture.now;
        });
        int _ = floods.stream().mapToInt(EngineBoundsTest::take).sum();
        begins[0] = true;

        turn();

        assertThat(floods.stream().mapToInt(EngineBoundsTest::take).sum()).isEqualTo(1);
    }

    private List<TestQp> flood(int qps, int bytes) {
        return flood(attacker, qps, bytes);
    }

    private List<TestQp> flood(Guest who, int qps, int bytes) {
        Buffer theirs = who.buffer(1 << 20);
        List<TestQp> flood = new ArrayList<>();
        for (int i = 0; i < qps; i++) {
            TestQp qp = new TestQp(fixture, who, who.cq(64), QpLimits.of(64, 1), 1);
            connectToItself(qp);
            while (qp.sends.free() > 0) {
                qp.rdma(i, WRITE, SIGNALLED, theirs, bytes, theirs.address(), theirs.rkey());
            }
            flood.add(qp);
        }
        return flood;
    }

    @Test
    void aNewcomerWaitsForOnePieceOfALongCopy() {
        connectToItself(a);
        flood(4, 1 << 20);
        // Rung while nobody of that domain is in line: the first turn's first copy ends early.
        write(7);
        long before = moved();
        turn();
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        turn();
        assertThat(moved() - before).isLessThan(24L * 65536);
    }

    private long moved() {
        return fixture.counter(Counter.PORT_XMIT_DATA);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 24})
    void anRnrStormIsAnsweredOnTimersAlone(int code) {
        List<TestQp> storm = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            TestQp sender = new TestQp(fixture, attacker);
            TestQp peer = new TestQp(fixture, attacker);
            TestQp.connect(sender, peer);
            peer.modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, code));
            sender.tune(QpAttribute.RNR_RETRY, 7);
            sender.send(1, SIGNALLED, attacker.buffer(8), 0, 8);
            storm.add(sender);
        }
        fixture.run();
        long first = fixture.counter(Counter.RNR_NAK_RETRY_ERR);
        assertThat(first).isEqualTo(8);
        long delay = code == 1 ? 10_000 : code == 8 ? 160_000 : 40_960_000;
        long steps = 0;
        long until = fixture.now + 100 * delay;
        while (fixture.now < until) {
            fixture.now += Math.min(delay, TICK_NANOS);
            // Doorbells do not help either.
            storm.forEach(qp -> qp.guest.doorbell.ring(qp.slot));
            for (int work = turn(); work > 0; work = turn()) {
                steps++;
            }
        }

        long retries = fixture.counter(Counter.RNR_NAK_RETRY_ERR) - first;
        assertThat(retries).isBetween(8L * 30, 8L * 100);
        assertThat(steps).isLessThan(8 * 4 * (100 * delay / Math.min(delay, TICK_NANOS) + 1));
    }

    @Test
    void timersThatRunOutTogetherAreTakenAFewAtATime() {
        connectToItself(a);
        for (int i = 0; i < 100; i++) {
            TestQp lone = new TestQp(fixture, attacker, attacker.cq(4), QpLimits.of(4, 1), 1);
            lone.init(HcaFixture.ALL_REMOTE);
            lone.rtr(a);
            lone.rts();
            lone.send(1, SIGNALLED, attacker.buffer(8), 0, 8);
        }
        fixture.run();
        fixture.now += 1_000_000_000;
        write(7);

        turn();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
        assertThat(fixture.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(8);
        fixture.run();
        assertThat(fixture.counter(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(100);
    }

    @Test
    void anArmFloodIsOneEvent() {
        connectToItself(a);
        write(7);
        fixture.run();
        for (int i = 0; i < 10_000; i++) {
            a.cq.arm(false);
            turn();
        }

        assertThat(fixture.events()).containsExactly("COMPLETION " + a.cq.number);
    }

    @Test
    void atomicsOfManyDomainsOnOneWordAddUpAndAreShared() {
        TestQp[] adders = new TestQp[4];
        int[] done = new int[adders.length];
        Buffer[] results = new Buffer[adders.length];
        for (int i = 0; i < adders.length; i++) {
            Guest guest = fixture.guest(10 + i);
            adders[i] = new TestQp(fixture, guest);
            TestQp target = new TestQp(fixture, victim);
            TestQp.connect(adders[i], target);
            results[i] = guest.buffer(8);
        }
        for (int round = 0; round < 3000; round++) {
            for (int i = 0; i < adders.length; i++) {
                // The first has a queue always full, the last one request at a time.
                while (adders[i].sends.free() > (i == adders.length - 1 ? 63 : 0)) {
                    adders[i].atomic(1, ADD, results[i], own.address(), own.rkey(), 1, 0);
                }
            }
            turn();
            for (int i = 0; i < adders.length; i++) {
                done[i] += take(adders[i]);
            }
        }
        fixture.run();
        for (int i = 0; i < adders.length; i++) {
            done[i] += take(adders[i]);
        }

        long sum = (long) done[0] + done[1] + done[2] + done[3];
        assertThat(fixture.memory.get(ValueLayout.JAVA_LONG, own.machine())).isEqualTo(sum);
        assertThat((double) done[0] / done[1]).isBetween(0.97, 1.03);
        // Who asks for one at a time gets each at once.
        assertThat(done[3]).isGreaterThanOrEqualTo(2990);
    }
}
