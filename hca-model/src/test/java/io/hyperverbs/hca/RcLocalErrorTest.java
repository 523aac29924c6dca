package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the requester finds wrong by itself: it fails alone. */
class RcLocalErrorTest extends RcErrorFixture {
    @Test
    void trueLocalKeyOfAnotherDomainIsAbsent() {
        a.rdma(7, WRITE, UNSIGNALLED, bufferB, 8, bufferB.address(), bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_NOT_IN_PD);
        expectStates(QpState.ERR, QpState.RTS);
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
    void readIntoReadOnlyMemoryFailsTheRequesterAlone() {
        Buffer readOnly = guestA.buffer(4096, guestA.pd, Set.of(Access.REMOTE_READ));

        a.rdma(7, READ, UNSIGNALLED, readOnly, 8, bufferB.address(), bufferB.rkey());
        fixture.run();

        expectFailure(a, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_RIGHTS);
        expectStates(QpState.ERR, QpState.RTS);
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

        WorkCompletion failed = expectFailure(a, VerbsStatus.LOC_LEN_ERR, VendorError.MESSAGE_TOO_LONG);
        assertThat(failed.faultLengthBytes()).isEqualTo(3 * 0xffff_ffffL);
    }

    @Test
    void requesterWithoutReadDepthCannotRead() {
        a.tune(QpAttribute.MAX_QP_RD_ATOMIC, 0);

        write(READ, bufferB.address(), bufferB.rkey(), 8);

        expectFailure(a, VerbsStatus.LOC_QP_OP_ERR, VendorError.READ_DEPTH);
        expectStates(QpState.ERR, QpState.RTS);
    }
}
