package io.hyperverbs.frontend.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import org.junit.jupiter.api.Test;

class TraceTextTest {
    private static final long QP = (7L << 16) | 3;

    private final HandleNames names = new HandleNames();

    @Test
    void aQueuePairHasOneNameInAllVerbs() {
        ControlRequest destroy = new ControlRequest.Destroy(ObjectKind.QP, QP);
        ControlReply created = new ControlReply.QpCreated(QP, 0x351149, 0);
        names.learn(new ControlRequest.QueryQp(1), created);

        assertThat(TraceText.result(created)).isEqualTo("qp 0x351149");
        assertThat(TraceText.call(new ControlRequest.QueryQp(QP), names)).isEqualTo("query_qp(qp=0x351149)");
        assertThat(TraceText.call(destroy, names)).isEqualTo("destroy_qp(qp=0x351149)");

        names.learn(destroy, new ControlReply.Done());

        assertThat(TraceText.call(destroy, names)).isEqualTo("destroy_qp(qp=3)");
    }

    @Test
    void attributesAreSpelledOut() {
        QpAttributes attributes = QpAttributes.to(QpState.ERR)
                .with(QpAttribute.ACCESS_FLAGS, 15)
                .with(QpAttribute.TIMEOUT, 14)
                .with(QpAttribute.RNR_RETRY, 7)
                .with(QpAttribute.SQ_PSN, 5);

        assertThat(TraceText.call(new ControlRequest.ModifyQp(QP, attributes), names))
                .isEqualTo("modify_qp(qp=3, state ERR, access LW|RW|RR|RA, timeout 14 (67 ms),"
                        + " rnr_retry 7 (for ever), sq_psn 0x000005)");
        assertThat(TraceText.result(new ControlReply.QpQueried(attributes)))
                .startsWith("state ERR, access LW|RW|RR|RA, timeout 14 (67 ms)");
    }

    @Test
    void timeoutsHaveUnits() {
        assertThat(timeout(0)).endsWith("timeout 0 (for ever)");
        assertThat(timeout(1)).endsWith("timeout 1 (8.2 us)");
        assertThat(timeout(8)).endsWith("timeout 8 (1.0 ms)");
        assertThat(timeout(20)).endsWith("timeout 20 (4.3 s)");
        assertThat(timeout(99)).endsWith("timeout 99 (no such code)");
    }

    private static String timeout(int code) {
        return TraceText.result(new ControlReply.QpQueried(QpAttributes.none().with(QpAttribute.TIMEOUT, code)));
    }
}
