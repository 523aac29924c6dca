package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.transport.LockoutPolicy;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who guesses keys of another domain has less and less time for it. */
class KeyLockoutTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int WRONG = 0x1234_5678;
    private static final int BYTES = 64;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guesser = fixture.guest(1);
    private final Guest target = fixture.guest(2);
    private final Guest bystander = fixture.guest(3);
    private final Buffer own = guesser.buffer(4096);
    private final Buffer theirs = target.buffer(4096);
    private final HcaFixture.TestCq guesserCq = guesser.cq(256);
    private final HcaFixture.TestCq targetCq = target.cq(256);

    @BeforeEach
    void switchOn() {
        fixture.hca.keyLockout(LockoutPolicy.standard());
    }

    private TestQp queuePair(Guest guest, HcaFixture.TestCq cq) {
        return new TestQp(fixture, guest, cq, io.hyperverbs.verbs.QpLimits.of(8, 1), 1);
    }

    private TestQp[] pair() {
        TestQp[] pair = {queuePair(guesser, guesserCq), queuePair(target, targetCq)};
        TestQp.connect(pair[0], pair[1]);
        return pair;
    }

    private void end(TestQp[] pair) {
        for (TestQp qp : pair) {
            assertThat(fixture.hca.destroyQp(qp.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        }
        while (guesserCq.poll() != null || targetCq.poll() != null) {
            // What is left of queue pairs that are gone.
        }
        fixture.events();
    }

    private void post(TestQp qp, int rkey) {
        qp.rdma(7, WRITE, TestQp.SIGNALLED, own, BYTES, theirs.address(), rkey);
        fixture.run();
    }

    /** On a connection of its own, as each miss ends one. */
    private void miss() {
        TestQp[] pair = pair();
        post(pair[0], WRONG);
        assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        end(pair);
    }

    private void misses(int count) {
        for (int i = 0; i < count; i++) {
            miss();
        }
    }

    /** Whether a request with the right key is done by now, on a new connection. */
    private boolean isServed() {
        TestQp[] pair = pair();
        post(pair[0], theirs.rkey());
        WorkCompletion completion = guesserCq.poll();
        end(pair);
        return completion != null && completion.status() == VerbsStatus.SUCCESS;
    }

    @Test
    void letsSevenMissesPass() {
        misses(7);

        assertThat(isServed()).isTrue();
        assertThat(fixture.counter(Counter.KEY_LOCKOUTS)).isZero();
    }

    @Test
    void holdsEveryRequestForASecondAfterEight() {
        misses(8);
        TestQp[] pair = pair();
        post(pair[0], theirs.rkey());

        fixture.pass(SECOND - SECOND / 1000);
        assertThat(guesserCq.poll()).isNull();
        fixture.pass(SECOND / 500);

        assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.counter(Counter.KEY_LOCKOUTS)).isEqualTo(1);
    }

    @Test
    void holdsTwiceAsLongAtEachFurtherMissUpToItsMaximum() {
        misses(8);
        long pause = 1;
        for (int i = 0; i < 9; i++) {
            fixture.pass(pause * SECOND - SECOND / 100);
            assertThat(isServed()).as("within a pause of %d s", pause).isFalse();
            fixture.pass(SECOND / 50);
            miss();
            pause = Math.min(64, 2 * pause);
        }

        assertThat(pause).isEqualTo(64);
        assertThat(fixture.counter(Counter.KEY_LOCKOUTS)).isEqualTo(10);
    }

    @Test
    void forgetsAfterAQuietMinute() {
        misses(9 - 1);
        fixture.pass(62 * SECOND);

        misses(7);

        assertThat(isServed()).isTrue();
    }

    @Test
    void forgetsNothingForWhatSucceedsInBetween() {
        for (int i = 0; i < 7; i++) {
            miss();
            assertThat(isServed()).isTrue();
        }
        miss();

        assertThat(isServed()).isFalse();
    }

    @Test
    void countsNoMissesThatAreFarApart() {
        for (int i = 0; i < 30; i++) {
            miss();
            fixture.pass(9 * SECOND);
        }

        assertThat(isServed()).isTrue();
    }

    @Test
    void holdsConnectionsThatWereThereBefore() {
        List<TestQp[]> ready = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ready.add(pair());
        }
        misses(8);

        ready.forEach(pair -> post(pair[0], WRONG));
        assertThat(guesserCq.poll()).isNull();
        fixture.pass(SECOND + SECOND / 100);

        // The first of them that is served misses, and ends the chance of the others.
        assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
        assertThat(guesserCq.poll()).isNull();
        ready.forEach(this::end);
    }

    /** At the eighth miss queue pairs of all states and with all sorts of peers are there. */
    @Test
    void holdsWhatIsConnectedToTheTargetAndNothingElse() {
        final TestQp fresh = queuePair(guesser, guesserCq);
        TestQp toBystander = queuePair(guesser, guesserCq);
        TestQp ofBystander = new TestQp(fixture, bystander);
        TestQp.connect(toBystander, ofBystander);
        TestQp[] taken = pair();
        TestQp usurper = queuePair(guesser, guesserCq);
        usurper.init(HcaFixture.ALL_REMOTE);
        usurper.rtr(taken[1]);
        usurper.rts();
        TestQp[] failed = pair();
        failed[0].modify(QpAttributes.to(QpState.ERR));
        TestQp[] drained = pair();
        drained[0].modify(QpAttributes.to(QpState.SQD));
        Buffer elsewhere = bystander.buffer(4096);

        misses(8);

        toBystander.rdma(1, WRITE, TestQp.SIGNALLED, own, BYTES, elsewhere.address(), elsewhere.rkey());
        fixture.run();
        assertThat(guesserCq.drain()).containsExactly("RDMA_WRITE 1 SUCCESS");
        post(failed[0], theirs.rkey());
        assertThat(guesserCq.drain()).containsExactly("RDMA_WRITE 7 WR_FLUSH_ERR");
        drained[0].modify(QpAttributes.to(QpState.RTS));
        post(drained[0], theirs.rkey());
        post(taken[0], theirs.rkey());
        assertThat(guesserCq.drain()).isEmpty();
        post(usurper, theirs.rkey());
        fixture.pass(SECOND / 2);
        assertThat(guesserCq.drain()).isEmpty();
        assertThat(fresh.state()).isEqualTo(QpState.RESET);
        fixture.pass(SECOND / 2 + SECOND / 100);
        assertThat(guesserCq.drain())
                .contains("RDMA_WRITE 7 SUCCESS", "RDMA_WRITE 7 SUCCESS")
                .hasSizeBetween(2, 3);
    }

    /** A receiver that is not ready asked for 655 ms; a pause of a millisecond is no way out. */
    @Test
    void makesNoDelayShorterThatAReceiverAskedFor() {
        fixture.hca.keyLockout(new LockoutPolicy(8, 60 * SECOND, SECOND / 1000, 64 * SECOND / 1000));
        TestQp[] waiting = pair();
        waiting[1].modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, 0));
        waiting[0].send(9, TestQp.SIGNALLED, own, 0, BYTES);
        fixture.run();

        misses(8);
        waiting[1].receive(90, theirs, 0, BYTES);
        fixture.pass(SECOND / 100);
        fixture.pass(SECOND / 2);

        assertThat(guesserCq.drain()).isEmpty();
        fixture.pass(SECOND / 5);
        assertThat(guesserCq.drain()).containsExactly("SEND 9 SUCCESS");
    }

    @Test
    void leavesTheOtherDirectionAlone() {
        misses(8);
        TestQp[] pair = pair();

        pair[1].rdma(7, WRITE, TestQp.SIGNALLED, theirs, BYTES, own.address(), own.rkey());
        fixture.run();

        assertThat(targetCq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void leavesOtherDomainsAlone() {
        misses(8);
        TestQp other = new TestQp(fixture, bystander);
        TestQp served = queuePair(target, targetCq);
        TestQp.connect(other, served);
        Buffer from = bystander.buffer(4096);

        other.rdma(7, WRITE, TestQp.SIGNALLED, from, BYTES, theirs.address(), theirs.rkey());
        fixture.run();

        assertThat(other.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void leavesWhatADomainDoesWithItselfAlone() {
        for (int i = 0; i < 20; i++) {
            TestQp[] loop = {queuePair(guesser, guesserCq), queuePair(guesser, guesserCq)};
            TestQp.connect(loop[0], loop[1]);
            post(loop[0], WRONG);
            assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.REM_ACCESS_ERR);
            end(loop);
        }

        assertThat(fixture.counter(Counter.KEY_LOCKOUTS)).isZero();
    }

    @Test
    void holdsUnreliableConnectionsToo() {
        TestQp from = TestQp.of(QpType.UC, fixture, guesser);
        TestQp to = TestQp.of(QpType.UC, fixture, target);
        TestQp.connectUc(from, to);

        for (int i = 0; i < 32; i++) {
            post(from, WRONG);
        }

        // Eight are dropped without a word, the others wait.
        int sent = 0;
        while (from.cq.poll() != null) {
            sent++;
        }
        assertThat(sent).isEqualTo(8);
        assertThat(fixture.counter(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(8);
    }

    @Test
    void tellsAStrangerNothing() {
        misses(8);
        TestQp stranger = queuePair(guesser, guesserCq);
        TestQp unaware = queuePair(target, targetCq);
        unaware.init(HcaFixture.ALL_REMOTE);
        stranger.init(HcaFixture.ALL_REMOTE);
        stranger.rtr(unaware);
        stranger.rts();
        TestQp lost = queuePair(guesser, guesserCq);
        lost.init(HcaFixture.ALL_REMOTE);
        lost.modify(io.hyperverbs.verbs.QpAttributes.toRtr(new io.hyperverbs.verbs.Endpoint(1, 0xabcdef, 1, 0, 0, 0)));
        lost.rts();

        post(stranger, WRONG);
        post(lost, WRONG);
        fixture.pass(SECOND / 100);
        fixture.pass(SECOND / 100);
        fixture.pass(SECOND / 100);

        // Both give up at the same time: no way to tell whose number it was.
        assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        assertThat(guesserCq.poll().status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
    }

    @Test
    void neverHoldsAnybodyWhenItIsOff() {
        fixture.hca.keyLockout(LockoutPolicy.off());

        misses(50);

        assertThat(isServed()).isTrue();
        assertThat(fixture.counter(Counter.KEY_LOCKOUTS)).isZero();
    }
}
