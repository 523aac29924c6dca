package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;

/** What each refused check does to both sides, and the order the checks come in. */
class RcErrorTest {
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int WRITE_IMM = SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
    private static final int READ = SendWqeLayout.OPCODE_RDMA_READ;
    private static final int SEND = SendWqeLayout.OPCODE_SEND;
    private static final int FETCH_ADD = SendWqeLayout.OPCODE_FETCH_AND_ADD;
    private static final int UNSIGNALLED = SendFlags.NONE;
    private static final int BAD_KEY = 0x1234_5678;

    private final HcaFixture fixture = new HcaFixture();
    private Guest guestA;
    private Guest guestB;
    private TestQp a;
    private TestQp b;
    private Buffer bufferA;
    private Buffer bufferB;

    @BeforeEach
    void connect() {
        guestA = fixture.guest(1);
        guestB = fixture.guest(2);
        a = new TestQp(fixture, guestA);
        b = new TestQp(fixture, guestB);
        TestQp.connect(a, b);
        bufferA = guestA.buffer(1 << 16);
        bufferB = guestB.buffer(1 << 16);
        fixture.memory.asSlice(bufferA.machine(), bufferA.bytes()).fill((byte) 0x5a);
    }

    private void write(int opcode, long remote, int rkey, int length) {
        a.rdma(7, opcode, UNSIGNALLED, bufferA, length, remote, rkey);
        fixture.run();
    }

    private WorkCompletion expectFailure(TestQp qp, VerbsStatus status, VendorError vendor) {
        WorkCompletion completion = qp.cq.poll();
        assertThat(completion).as("completion of " + status).isNotNull();
        assertThat(completion.status()).isEqualTo(status);
        assertThat(completion.vendorError()).isEqualTo(vendor);
        assertThat(completion.qpn()).isEqualTo(qp.qpn);
        return completion;
    }

    private void expectStates(QpState stateA, QpState stateB) {
        assertThat(a.state()).isEqualTo(stateA);
        assertThat(b.state()).isEqualTo(stateB);
    }

    private void expectUntouched() {
        for (long i = 0; i < bufferB.bytes(); i++) {
            assertThat(
                            fixture.memory.get(
                                    java.lang.foreign.ValueLayout.JAVA_BYTE, bufferB.machine() + i))
                    .isZero();
        }
    }

    private String event(String kind, TestQp qp) {
        return kind + " " + qp.qpn;
    }

    @Test
    void badLocalKeyFailsTheRequesterAlone() {
        long wqe = a.begin(7, SEND, UNSIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        SendWqeLayout.writeSegment(fixture.memory, wqe, 0, bufferA.address(), 8, BAD_KEY);

        a.ring();
        fixture.run();

        WorkCompletion failed =
                expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_NOT_IN_PD);
        assertThat(failed.faultKey()).isEqualTo(BAD_KEY);
        assertThat(failed.faultPd()).isEqualTo(guestA.pd);
        expectStates(QpState.ERR, QpState.RTS);
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void trueLocalKeyOfAnotherDomainIsAbsent() {
        a.rdma(7, WRITE, UNSIGNALLED, bufferB, 8, bufferB.address(), bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_NOT_IN_PD);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0xffff_ffff, BAD_KEY})
    void badRemoteKeyFailsBothSides(int rkey) {
        write(WRITE, bufferB.address(), rkey, 8);

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
        assertThat(b.cq.poll()).isNull();
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_ACCESS_ERR", b));
        expectUntouched();
    }

    @Test
    void localKeyIsNoRemoteKey() {
        write(WRITE, bufferB.address(), bufferB.lkey(), 8);

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
    }

    @Test
    void trueRemoteKeyOfAnotherPdIsAbsent() {
        int otherPd = fixture.hca.allocatePd(2).number();
        Buffer foreign = guestB.buffer(4096, otherPd, HcaFixture.ALL_REMOTE);

        write(WRITE, foreign.address(), foreign.rkey(), 8);

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
        expectStates(QpState.ERR, QpState.ERR);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 8",
        "65529, 8",
        "65536, 1",
        "-9223372036854775808, 8",
        "65535, 2",
        "-8, 16",
        "0, 65537"
    })
    void rangesBeyondTheRegionAreRefused(long offset, int length) {
        Buffer large = guestA.buffer(1 << 17);
        a.rdma(7, READ, UNSIGNALLED, large, length, bufferB.address() + offset, bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_RANGE);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_ACCESS_ERR", b));
    }

    @ParameterizedTest
    @CsvSource({"0,REMOTE_WRITE", "1,REMOTE_WRITE", "4,REMOTE_READ", "5,REMOTE_ATOMIC"})
    void regionWithoutTheRightRefusesAccess(int opcode, Access right) {
        Set<Access> rights = new java.util.HashSet<>(HcaFixture.ALL_REMOTE);
        rights.remove(right);
        Buffer limited = guestB.buffer(4096, guestB.pd, rights);
        b.receive(70, 0, 0, 0);

        write(opcode, limited.address(), limited.rkey(), 8);

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_RIGHTS);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_ACCESS_ERR", b));
    }

    @ParameterizedTest
    @CsvSource({"0,REMOTE_WRITE", "1,REMOTE_WRITE", "4,REMOTE_READ", "5,REMOTE_ATOMIC"})
    void queuePairWithoutTheRightCallsItInvalid(int opcode, Access right) {
        int rights = Access.mask(HcaFixture.ALL_REMOTE) & ~right.bit();
        b.modify(QpAttributes.none().with(QpAttribute.ACCESS_FLAGS, rights));

        write(opcode, bufferB.address(), BAD_KEY, 8);

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.QP_RIGHTS);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_REQ_ERR", b));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 9, 15})
    void misalignedAtomicIsInvalidBeforeItsKeyIsLookedAt(int offset) {
        a.atomic(7, FETCH_ADD, bufferA, bufferB.address() + offset, BAD_KEY, 1, 0);
        fixture.run();

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.ATOMIC_MISALIGNED);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_REQ_ERR", b));
    }

    @Test
    void atomicOnMachineMisalignedWordIsInvalidToo() {
        long machine = fixture.allocate(4096);
        HcaCommands.Keyed keyed =
                fixture.hca.createRegion(
                        new HcaCommands.RegionInit(
                                guestB.pd,
                                0x1000,
                                4000,
                                15,
                                java.util.List.of(new MachineRun(machine, 4096)),
                                3));

        a.atomic(7, FETCH_ADD, bufferA, 0x1000, keyed.rkey(), 1, 0);
        fixture.run();

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.ATOMIC_MISALIGNED);
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 7, 9, 16})
    void atomicWithAnotherLengthThanEightIsALocalLengthError(int length) {
        a.rdma(7, FETCH_ADD, UNSIGNALLED, bufferA, length, bufferB.address(), bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_LEN_ERR, VendorError.ATOMIC_LENGTH);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @Test
    void badReceiveKeyFailsBothSides() {
        b.receive(70, bufferB.address(), 64, BAD_KEY);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_NOT_IN_PD);
        expectFailure(a, VerbsStatus.REM_OP_ERR, VendorError.RECEIVE_PROTECTION);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void receiveIntoReadOnlyMemoryFailsBothSides() {
        Buffer readOnly = guestB.buffer(4096, guestB.pd, Set.of(Access.REMOTE_READ));
        b.receive(70, readOnly, 0, 64);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_RIGHTS);
        expectFailure(a, VerbsStatus.REM_OP_ERR, VendorError.RECEIVE_PROTECTION);
    }

    @Test
    void tooSmallReceiveFailsBothSides() {
        b.receive(70, bufferB, 0, 7);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_LEN_ERR, VendorError.RECEIVE_TOO_SMALL);
        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.RECEIVE_TOO_SMALL);
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).isEmpty();
        expectUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x1_0001})
    void malformedReceiveFailsBothSides(int segments) {
        b.receive(70, bufferB, 0, 64);
        ReceiveWqeLayout.writeSegmentCount(
                fixture.memory, b.rings + b.geometry.receiveRingOffset(), segments);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_QP_OP_ERR, VendorError.RECEIVE_MALFORMED);
        expectFailure(a, VerbsStatus.REM_OP_ERR, VendorError.RECEIVE_MALFORMED);
    }

    @Test
    void writeWithImmediateAndBadKeySpendsTheReceive() {
        b.receive(70, bufferB, 0, 64);
        b.receive(71, bufferB, 0, 64);

        write(WRITE_IMM, bufferB.address(), BAD_KEY, 8);

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
        WorkCompletion spent =
                expectFailure(b, VerbsStatus.LOC_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
        assertThat(spent.wrId()).isEqualTo(70);
        assertThat(b.cq.drain()).containsExactly("RECV 71 WR_FLUSH_ERR");
        expectStates(QpState.ERR, QpState.ERR);
        assertThat(fixture.events()).containsExactly(event("QP_ACCESS_ERR", b));
        expectUntouched();
    }

    @Test
    void missingReceiveIsReportedBeforeABadRemoteKey() {
        write(WRITE_IMM, bufferB.address(), BAD_KEY, 8);

        assertThat(a.cq.poll()).isNull();
        assertThat(fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        expectStates(QpState.RTS, QpState.RTS);
    }

    @Test
    void writeWithBothKeysBadReportsTheLocalOne() {
        long wqe = a.begin(7, WRITE, UNSIGNALLED);
        SendWqeLayout.writeRemote(fixture.memory, wqe, bufferB.address(), BAD_KEY);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        SendWqeLayout.writeSegment(fixture.memory, wqe, 0, bufferA.address(), 8, BAD_KEY + 1);

        a.ring();
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_NOT_IN_PD);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @Test
    void readWithBothKeysBadReportsTheRemoteOne() {
        long wqe = a.begin(7, READ, UNSIGNALLED);
        SendWqeLayout.writeRemote(fixture.memory, wqe, bufferB.address(), BAD_KEY);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 1);
        SendWqeLayout.writeSegment(fixture.memory, wqe, 0, bufferA.address(), 8, BAD_KEY + 1);

        a.ring();
        fixture.run();

        expectFailure(a, VerbsStatus.REM_ACCESS_ERR, VendorError.KEY_NOT_IN_PD);
        expectStates(QpState.ERR, QpState.ERR);
    }

    @Test
    void readIntoReadOnlyMemoryFailsTheRequesterAlone() {
        Buffer readOnly = guestA.buffer(4096, guestA.pd, Set.of(Access.REMOTE_READ));

        a.rdma(7, READ, UNSIGNALLED, readOnly, 8, bufferB.address(), bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_RIGHTS);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {WRITE, READ})
    void zeroLengthChecksNeitherAddressNorKey(int opcode) {
        a.rdma(7, opcode, SIGNALLED, bufferA, 0, 0xdead_beefL, BAD_KEY);
        fixture.run();

        assertThat(a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        expectStates(QpState.RTS, QpState.RTS);
    }

    @Test
    void unknownOpcodesAndFlagsFailTheRequesterAlone() {
        for (int opcode = 0; opcode < 256; opcode++) {
            for (int flags : new int[] {0, 0x10, 0x80}) {
                if (opcode <= SendWqeLayout.OPCODE_SEND_WITH_INV && flags == 0) {
                    continue;
                }
                TestQp qp = a;
                qp.modify(QpAttributes.to(QpState.RESET));
                b.modify(QpAttributes.to(QpState.RESET));
                qp.sends.reset();
                TestQp.connect(a, b);
                long wqe = qp.begin(7, opcode, flags);
                SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
                qp.ring();
                fixture.run();

                expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.UNKNOWN_OPCODE);
                expectStates(QpState.ERR, QpState.RTS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 200, 0x7fff, 0x8000, 0xffff})
    void tooManySegmentsFailTheRequesterAlone(int segments) {
        long wqe = a.begin(7, SEND, UNSIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, segments);

        a.ring();
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.TOO_MANY_SEGMENTS);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 128, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void inlineBeyondTheLimitFailsTheRequesterAlone(int length) {
        long wqe = a.begin(7, WRITE, SendFlags.INLINE);
        // The word that writeInline would set.
        fixture.memory.set(java.lang.foreign.ValueLayout.JAVA_INT, wqe + 28, length);

        a.ring();
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.INLINE_TOO_LONG);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ, FETCH_ADD, SendWqeLayout.OPCODE_COMPARE_AND_SWAP})
    void inlineOnAReadFailsTheRequesterAlone(int opcode) {
        a.begin(7, opcode, SendFlags.INLINE);
        a.ring();
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.INLINE_NOT_ALLOWED);
    }

    @Test
    void messageBeyondTheMaximumIsALocalLengthError() {
        long wqe = a.begin(7, WRITE, UNSIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 3);
        for (int i = 0; i < 3; i++) {
            SendWqeLayout.writeSegment(fixture.memory, wqe, i, 0, -1, bufferA.lkey());
        }

        a.ring();
        fixture.run();

        WorkCompletion failed =
                expectFailure(a, VerbsStatus.LOC_LEN_ERR, VendorError.MESSAGE_TOO_LONG);
        assertThat(failed.faultLengthBytes()).isEqualTo(3 * 0xffff_ffffL);
    }

    @Test
    void responderWithoutReadDepthCallsReadsInvalid() {
        b.modify(QpAttributes.to(QpState.SQD));
        b.modify(QpAttributes.none().with(QpAttribute.MAX_DEST_RD_ATOMIC, 0));

        write(READ, bufferB.address(), BAD_KEY, 8);

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.READ_DEPTH);
        assertThat(fixture.events()).containsExactly(event("QP_REQ_ERR", b));
    }

    @Test
    void requesterWithoutReadDepthCannotRead() {
        a.modify(QpAttributes.to(QpState.SQD));
        a.modify(QpAttributes.none().with(QpAttribute.MAX_QP_RD_ATOMIC, 0));
        a.modify(QpAttributes.to(QpState.RTS));

        write(READ, bufferB.address(), bufferB.rkey(), 8);

        expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.READ_DEPTH);
        expectStates(QpState.ERR, QpState.RTS);
    }

    @Test
    void flushesInOrderAfterAFailure() {
        a.receive(90, bufferA, 0, 8);
        a.receive(91, bufferA, 0, 8);
        a.rdma(1, WRITE, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        a.rdma(2, WRITE, UNSIGNALLED, bufferA, 8, bufferB.address(), BAD_KEY);
        a.send(3, UNSIGNALLED, bufferA, 0, 8);
        a.rdma(4, READ, SIGNALLED, bufferA, 8, bufferB.address(), bufferB.rkey());
        b.receive(70, bufferB, 0, 8);

        fixture.run();
        a.send(5, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        assertThat(a.cq.drain())
                .containsExactly(
                        "RDMA_WRITE 1 SUCCESS",
                        "RDMA_WRITE 2 REM_ACCESS_ERR",
                        "SEND 3 WR_FLUSH_ERR",
                        "RDMA_READ 4 WR_FLUSH_ERR",
                        "RECV 90 WR_FLUSH_ERR",
                        "RECV 91 WR_FLUSH_ERR",
                        "SEND 5 WR_FLUSH_ERR");
        assertThat(b.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR");
    }

    @Test
    void flushesReceivesPostedInErrWhenRungOrLater() {
        b.modify(QpAttributes.to(QpState.ERR));
        fixture.run();

        b.receive(70, bufferB, 0, 8);
        fixture.pass(2_000_000);
        b.receive(71, bufferB, 0, 8);
        guestB.doorbell.ring(b.slot);
        fixture.run();

        assertThat(b.cq.drain()).containsExactly("RECV 70 WR_FLUSH_ERR", "RECV 71 WR_FLUSH_ERR");
    }
}
