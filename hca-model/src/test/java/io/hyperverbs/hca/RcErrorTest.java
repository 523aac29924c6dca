package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the responder refuses, in the order of its checks; what is flushed behind it. */
class RcErrorTest extends RcErrorFixture {
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
    @CsvSource({"-1, 8", "65529, 8", "65536, 1", "-9223372036854775808, 8", "65535, 2", "-8, 16", "0, 65537"})
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
        HcaCommands.Keyed keyed = fixture.hca.createRegion(new HcaCommands.RegionInit(
                guestB.pd, 0x1000, 4000, 15, java.util.List.of(new MachineRun(machine, 4096)), 3));

        a.atomic(7, FETCH_ADD, bufferA, 0x1000, keyed.rkey(), 1, 0);
        fixture.run();

        expectFailure(a, VerbsStatus.REM_INV_REQ_ERR, VendorError.ATOMIC_MISALIGNED);
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isZero();
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

    @ParameterizedTest
    @ValueSource(ints = {WRITE, READ})
    void zeroLengthChecksNeitherAddressNorKey(int opcode) {
        a.rdma(7, opcode, SIGNALLED, bufferA, 0, 0xdead_beefL, BAD_KEY);
        fixture.run();

        assertThat(a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        expectStates(QpState.RTS, QpState.RTS);
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
