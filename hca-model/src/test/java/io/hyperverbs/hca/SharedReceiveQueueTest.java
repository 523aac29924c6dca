package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that several queue pairs share: who gets them, and whose errors they are. */
class SharedReceiveQueueTest extends SharedQueueFixture {
    private boolean isUntouched() {
        return fixture.memory.asSlice(into.machine(), into.bytes()).mismatch(fixture.zeros(into.bytes())) == -1;
    }

    @Test
    void completionNamesTheQueuePairAndTheSharedQueue() {
        srq.receive(100, into, 0, 64);
        send(a2, 1);

        assertThat(b2.cq.ring.srqn()).isEqualTo(srq.srqn);
        assertThat(b2.cq.poll().qpn()).isEqualTo(b2.qpn);
    }

    @Test
    void slotsAreFreeOnceTakenThoughNobodyPolls() {
        for (int round = 0; round < 40; round++) {
            srq.receive(round, into, 0, 64);
            send(round % 2 == 0 ? a1 : a2, round);
            assertThat(srq.head()).isEqualTo(round + 1);
        }

        assertThat(b1.cq.drain()).hasSize(20);
        assertThat(b2.cq.drain()).hasSize(20);
    }

    @Test
    void receiveTakenByAMessageUnderWayIsFlushed() {
        // More than the engine moves between two looks at its commands.
        int length = 1 << 20;
        srq.receive(100, receiver.buffer(length, srqPd, HcaFixture.ALL_REMOTE), 0, length);
        a1.send(1, SIGNALLED, sender.buffer(length), 0, length);
        int turns = 0;
        while (srq.head() == 0) {
            assertThat(fixture.hca.engine().doWork(fixture.now)).isPositive();
            assertThat(++turns).isLessThan(100);
        }
        assertThat(b1.cq.drain()).isEmpty();

        b1.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(b1.cq.drain()).containsExactly("RECV 100 WR_FLUSH_ERR");
        assertThat(fixture.events()).containsExactly("QP_LAST_WQE_REACHED " + b1.qpn);
        assertThat(srq.head()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void indexBeyondTheRingBreaksTheQueueAndExecutesNothing(int index) {
        srq.receive(100, into, 0, 64);
        srq.publish(index);

        send(a1, 1);

        assertThat(fixture.events())
                .containsExactlyInAnyOrder(
                        "SRQ_ERR " + srq.srqn, "QP_LAST_WQE_REACHED " + b1.qpn, "QP_LAST_WQE_REACHED " + b2.qpn);
        assertThat(b1.state()).isEqualTo(QpState.ERR);
        assertThat(b2.state()).isEqualTo(QpState.ERR);
        assertThat(b1.cq.drain()).isEmpty();
        assertThat(srq.head()).isZero();
        assertThat(isUntouched()).isTrue();
    }

    @Test
    void indexThatWentBackBreaksTheQueue() {
        srq.receive(100, into, 0, 64);
        srq.receive(101, into, 0, 64);
        srq.receive(102, into, 0, 64);
        send(a1, 1);
        assertThat(fixture.hca.armSrq(srq.srqn, 1)).isEqualTo(VerbsStatus.SUCCESS);
        srq.publish(1);
        send(a1, 2);
        send(a1, 3);
        send(a1, 4);

        assertThat(fixture.events()).contains("SRQ_ERR " + srq.srqn);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 30, 1 << 16, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void segmentCountBeyondTheQueueBreaksIt(int segments) {
        srq.receive(100, segments, into.address(), 64, into.lkey());

        send(a1, 1);
        send(a2, 2);

        assertThat(b1.cq.drain()).containsExactly("RECV 100 LOC_QP_OP_ERR");
        assertThat(a1.cq.drain()).containsExactly("SEND 1 REM_OP_ERR");
        assertThat(fixture.events())
                .containsExactlyInAnyOrder(
                        "SRQ_ERR " + srq.srqn, "QP_LAST_WQE_REACHED " + b1.qpn, "QP_LAST_WQE_REACHED " + b2.qpn);
        assertThat(isUntouched()).isTrue();
    }

    @Test
    void brokenQueueTakesNoNewQueuePairAndCanBeDestroyed() {
        srq.publish(99);
        send(a1, 1);

        assertThat(create(receiver, srq.srqn, SHARING)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.destroyQp(b1.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroyQp(b2.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroySrq(srq.srqn)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void isBusyWhileUsedAndKeepsItsPdAndUarBusy() {
        assertThat(fixture.hca.destroySrq(srq.srqn)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(fixture.hca.destroyQp(b1.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroySrq(srq.srqn)).isEqualTo(VerbsStatus.EBUSY);
        assertThat(fixture.hca.destroyQp(b2.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.destroyRegion(into.region())).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.deallocatePd(srqPd)).isEqualTo(VerbsStatus.EBUSY);

        assertThat(fixture.hca.destroySrq(srq.srqn)).isEqualTo(VerbsStatus.SUCCESS);

        assertThat(fixture.hca.destroySrq(srq.srqn)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(fixture.hca.deallocatePd(srqPd)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void sendsOfEachQueuePairStayWithTheirOwnRing() {
        b1.send(5, SIGNALLED, receiver.buffer(64), 0, 64);
        a1.receive(50, from, 0, 64);
        fixture.run();

        assertThat(b1.cq.drain()).containsExactly("SEND 5 SUCCESS");
        assertThat(a1.cq.drain()).containsExactly("RECV 50 SUCCESS");
    }
}
