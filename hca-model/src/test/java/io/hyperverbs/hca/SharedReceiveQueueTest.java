package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two connections into one shared receive queue. */
class SharedReceiveQueueTest {
    private static final QpLimits LIMITS = QpLimits.of(64, 64).withSge(4, 4);
    private static final QpLimits SHARING = QpLimits.of(64, 0).withSge(4, 1);
    private static final int WRITE_IMM = SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;

    private final HcaFixture fixture = new HcaFixture();
    private Guest sender;
    private Guest receiver;
    private int srqPd;
    private TestSrq srq;
    private TestQp a1;
    private TestQp a2;
    private TestQp b1;
    private TestQp b2;
    private Buffer from;
    private Buffer into;

    @BeforeEach
    void connect() {
        sender = fixture.guest(1);
        receiver = fixture.guest(2);
        srqPd = fixture.hca.allocatePd(2).number();
        srq = new TestSrq(fixture, receiver, srqPd, 8, 2);
        a1 = new TestQp(fixture, sender);
        a2 = new TestQp(fixture, sender);
        b1 = new TestQp(fixture, receiver, receiver.cq(64), SHARING, 1, srq.srqn);
        b2 = new TestQp(fixture, receiver, receiver.cq(64), SHARING, 1, srq.srqn);
        TestQp.connect(a1, b1);
        TestQp.connect(a2, b2);
        from = sender.buffer(1 << 18);
        into = receiver.buffer(1 << 18, srqPd, HcaFixture.ALL_REMOTE);
        fixture.memory.asSlice(from.machine(), from.bytes()).fill((byte) 0x5a);
    }

    private void send(TestQp qp, long wrId) {
        qp.send(wrId, SIGNALLED, from, 0, 64);
        fixture.run();
    }

    private boolean isUntouched() {
        return fixture.memory
                        .asSlice(into.machine(), into.bytes())
                        .mismatch(fixture.zeros(into.bytes()))
                == -1;
    }

    @Test
    void receivesGoToWhoeverNeedsOneNextInTheOrderPosted() {
        for (int i = 0; i < 4; i++) {
            srq.receive(100 + i, into, i * 64L, 64);
        }

        send(a1, 1);
        send(a2, 2);
        send(a2, 3);
        send(a1, 4);

        assertThat(b1.cq.drain()).containsExactly("RECV 100 SUCCESS", "RECV 103 SUCCESS");
        assertThat(b2.cq.drain()).containsExactly("RECV 101 SUCCESS", "RECV 102 SUCCESS");
        assertThat(srq.head()).isEqualTo(4);
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
    void emptyQueueMakesTheSenderWait() {
        send(a1, 1);
        assertThat(a1.cq.poll()).isNull();

        srq.receive(100, into, 0, 64);
        fixture.pass(10_000_000);

        assertThat(a1.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b1.cq.drain()).containsExactly("RECV 100 SUCCESS");
    }

    @Test
    void keysOfReceivesAreLookedUpInThePdOfTheSharedQueue() {
        Buffer ofQp = receiver.buffer(4096);
        srq.receive(100, ofQp, 0, 64);

        send(a1, 1);

        assertThat(b1.cq.drain()).containsExactly("RECV 100 LOC_PROT_ERR");
        assertThat(a1.cq.drain()).containsExactly("SEND 1 REM_OP_ERR");
        assertThat(fixture.events()).containsExactly("QP_LAST_WQE_REACHED " + b1.qpn);
        assertThat(b2.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void remoteKeysAreLookedUpInThePdOfTheQueuePair() {
        Buffer ofQp = receiver.buffer(4096);
        srq.receive(100, into, 0, 64);
        srq.receive(101, into, 0, 64);

        a1.rdma(1, WRITE_IMM, SIGNALLED, from, 64, ofQp.address(), ofQp.rkey());
        a2.rdma(2, WRITE_IMM, SIGNALLED, from, 64, into.address(), into.rkey());
        fixture.run();

        assertThat(a1.cq.drain()).containsExactly("RDMA_WRITE 1 SUCCESS");
        assertThat(a2.cq.drain()).containsExactly("RDMA_WRITE 2 REM_ACCESS_ERR");
        assertThat(isUntouched()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"63, LOC_LEN_ERR, REM_INV_REQ_ERR", "0, LOC_LEN_ERR, REM_INV_REQ_ERR"})
    void receiveTooSmallFailsOneQueuePairAlone(int length, String local, String remote) {
        srq.receive(100, into, 0, length);
        srq.receive(101, into, 0, 64);

        send(a1, 1);
        send(a2, 2);

        assertThat(b1.cq.drain()).containsExactly("RECV 100 " + local);
        assertThat(a1.cq.drain()).containsExactly("SEND 1 " + remote);
        assertThat(b2.cq.drain()).containsExactly("RECV 101 SUCCESS");
    }

    @Test
    void errorOfOneQueuePairLeavesPostedReceivesToTheOthers() {
        srq.receive(100, into, 0, 64);
        b1.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        assertThat(b1.cq.drain()).isEmpty();
        assertThat(fixture.events()).containsExactly("QP_LAST_WQE_REACHED " + b1.qpn);
        send(a2, 1);
        assertThat(b2.cq.drain()).containsExactly("RECV 100 SUCCESS");
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

    @Test
    void lastReceiveIsToldOnceForEachTimeInErr() {
        for (int i = 0; i < 2; i++) {
            b1.modify(QpAttributes.to(QpState.ERR));
            fixture.run();
            b1.modify(QpAttributes.to(QpState.ERR));
            fixture.run();
            assertThat(fixture.events()).containsExactly("QP_LAST_WQE_REACHED " + b1.qpn);
            b1.modify(QpAttributes.to(QpState.RESET));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void indexBeyondTheRingBreaksTheQueueAndExecutesNothing(int index) {
        srq.receive(100, into, 0, 64);
        srq.publish(index);

        send(a1, 1);

        assertThat(fixture.events())
                .containsExactlyInAnyOrder(
                        "SRQ_ERR " + srq.srqn,
                        "QP_LAST_WQE_REACHED " + b1.qpn,
                        "QP_LAST_WQE_REACHED " + b2.qpn);
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
                        "SRQ_ERR " + srq.srqn,
                        "QP_LAST_WQE_REACHED " + b1.qpn,
                        "QP_LAST_WQE_REACHED " + b2.qpn);
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

    private VerbsStatus create(Guest guest, int srqn, QpLimits limits) {
        int cq = guest.cq(4).number;
        return fixture.hca
                .createQp(
                        new HcaCommands.QpInit(
                                guest.uar,
                                guest.pd,
                                QpType.RC,
                                cq,
                                cq,
                                fixture.allocate(1 << 16),
                                limits,
                                1,
                                srqn))
                .status();
    }

    @Test
    void queuePairOfAnotherDomainCannotAttach() {
        assertThat(create(sender, srq.srqn, SHARING)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void queuePairWithReceivesOfItsOwnCannotAttach() {
        assertThat(create(receiver, srq.srqn, LIMITS)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void limitIsToldOnceWhenFewerAreLeft() {
        for (int i = 0; i < 4; i++) {
            srq.receive(100 + i, into, 0, 64);
        }
        assertThat(fixture.hca.armSrq(srq.srqn, 3)).isEqualTo(VerbsStatus.SUCCESS);

        send(a1, 1);
        assertThat(fixture.events()).isEmpty();
        send(a1, 2);
        assertThat(fixture.events()).containsExactly("SRQ_LIMIT_REACHED " + srq.srqn);
        assertThat(fixture.hca.querySrq(srq.srqn).limit()).isZero();
        send(a1, 3);
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void limitCountsWhatWasPostedSince() {
        srq.receive(100, into, 0, 64);
        assertThat(fixture.hca.armSrq(srq.srqn, 1)).isEqualTo(VerbsStatus.SUCCESS);
        srq.receive(101, into, 0, 64);

        send(a1, 1);
        assertThat(fixture.events()).isEmpty();
        send(a1, 2);
        assertThat(fixture.events()).containsExactly("SRQ_LIMIT_REACHED " + srq.srqn);
    }

    @Test
    void limitAboveWhatIsThereIsToldAtOnce() {
        srq.receive(100, into, 0, 64);

        assertThat(fixture.hca.armSrq(srq.srqn, 2)).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        assertThat(fixture.events()).containsExactly("SRQ_LIMIT_REACHED " + srq.srqn);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 9, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void limitBeyondTheQueueIsRefused(int limit) {
        assertThat(fixture.hca.armSrq(srq.srqn, limit)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.querySrq(srq.srqn).limit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 4096})
    void resizeKeepsWhatIsPostedInOrder(int receiveWr) {
        for (int i = 0; i < 6; i++) {
            srq.receive(100 + i, into, 0, 64);
        }
        send(a1, 1);
        send(a1, 2);

        assertThat(srq.resize(receiveWr)).isEqualTo(VerbsStatus.SUCCESS);
        for (int i = 3; i < 7; i++) {
            send(a1, i);
        }
        srq.receive(106, into, 0, 64);
        send(a1, 7);

        assertThat(b1.cq.drain().stream().map(line -> line.split(" ")[1]))
                .containsExactly("100", "101", "102", "103", "104", "105", "106");
        assertThat(srq.head()).isEqualTo(7);
    }

    @Test
    void resizeBelowWhatIsPostedChangesNothing() {
        for (int i = 0; i < 5; i++) {
            srq.receive(100 + i, into, 0, 64);
        }

        assertThat(srq.resize(4)).isEqualTo(VerbsStatus.EINVAL);
        send(a1, 1);

        assertThat(b1.cq.drain()).containsExactly("RECV 100 SUCCESS");
        assertThat(fixture.hca.querySrq(srq.srqn).entries()).isEqualTo(8);
    }

    @Test
    void resizeIntoARingWithAnotherProducerIndexIsRefused() {
        srq.receive(100, into, 0, 64);
        long empty = fixture.allocate(1 << 16);

        assertThat(fixture.hca.resizeSrq(srq.srqn, empty, 16)).isEqualTo(VerbsStatus.EINVAL);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "65537, 1", "1, 0", "1, 31", "1, -1"})
    void badSizesAreRefused(int receiveWr, int receiveSge) {
        HcaCommands.Numbered made =
                fixture.hca.createSrq(
                        new HcaCommands.SrqInit(
                                receiver.uar, receiver.pd, 0, receiveWr, receiveSge));

        assertThat(made.status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void pdOfAnotherDomainIsRefused() {
        HcaCommands.Numbered made =
                fixture.hca.createSrq(
                        new HcaCommands.SrqInit(
                                receiver.uar, sender.pd, fixture.allocate(4096), 4, 1));

        assertThat(made.status()).isEqualTo(VerbsStatus.EINVAL);
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
