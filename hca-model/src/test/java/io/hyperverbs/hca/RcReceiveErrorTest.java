package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that are wrong, and requests that are wrong while one is posted. */
class RcReceiveErrorTest extends RcErrorFixture {
    @Test
    void receiveIntoReadOnlyMemoryFailsBothSides() {
        Buffer readOnly = guestB.buffer(4096, guestB.pd, Set.of(Access.REMOTE_READ));
        b.receive(70, readOnly, 0, 64);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_PROT_ERR, VendorError.KEY_RIGHTS);
        expectFailure(a, VerbsStatus.REM_OP_ERR, VendorError.RECEIVE_PROTECTION);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x1_0001})
    void malformedReceiveFailsBothSides(int segments) {
        b.receive(70, bufferB, 0, 64);
        ReceiveWqeLayout.writeSegmentCount(fixture.memory, b.rings + b.geometry.receiveRingOffset(), segments);

        a.send(7, UNSIGNALLED, bufferA, 0, 8);
        fixture.run();

        expectFailure(b, VerbsStatus.LOC_QP_OP_ERR, VendorError.RECEIVE_MALFORMED);
        expectFailure(a, VerbsStatus.REM_OP_ERR, VendorError.RECEIVE_MALFORMED);
    }

    @Test
    void missingReceiveIsReportedBeforeABadRemoteKey() {
        write(WRITE_IMM, bufferB.address(), BAD_KEY, 8);

        assertThat(a.cq.poll()).isNull();
        assertThat(fixture.counter(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        expectStates(QpState.RTS, QpState.RTS);
    }
}
