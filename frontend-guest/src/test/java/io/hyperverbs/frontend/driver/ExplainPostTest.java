package io.hyperverbs.frontend.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.Send;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcInitiator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A refused post says why: EINVAL alone stands for a state and for a size. */
class ExplainPostTest {
    private static final QpLimits LIMITS = QpLimits.of(2, 2).withSge(1, 1);

    private DriverFixture fixture;

    @BeforeEach
    void open() throws VerbsException {
        fixture = new DriverFixture().open();
    }

    @AfterEach
    void close() {
        fixture.domain.close();
    }

    private Send send(int segments) {
        Sge sge = fixture.region.sge(0, 8);
        return new Send(1, SendFlags.SIGNALLED, List.of(sge, sge).subList(0, segments));
    }

    @Test
    void namesTheState() throws VerbsException {
        RcQueuePair qp = fixture.pd.createRc(LIMITS, fixture.cq, fixture.cq);

        assertThat(qp.explainPost()).isEmpty();
        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("sends need RTS, the state was RESET");
        assertThat(qp.postReceive(new ReceiveWorkRequest(1, List.of()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost())
                .isEqualTo("send: sends need RTS, the state was RESET;"
                        + " receive: receives need INIT, the state was RESET");
        qp.modify(QpAttributes.toInit(Set.of()));
        assertThat(qp.explainPost())
                .as("the state at the post, not the present one")
                .endsWith("receives need INIT, the state was RESET");
        qp.close();
        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).startsWith("send: the queue pair is closed;");
    }

    @Test
    void namesTheLimitAndIsClearedByAPostThatIsTaken() throws VerbsException {
        RcQueuePair qp = fixture.pair(LIMITS)[0];

        assertThat(qp.postSend(send(2))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("more SGEs than the queue pair was created for: 1");

        assertThat(qp.postSend(send(1))).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(qp.explainPost()).isEmpty();
    }

    @Test
    void anXrcInitiatorExplainsItselfToo() throws VerbsException {
        XrcInitiator qp = fixture.pd.createXrcInitiator(LIMITS, fixture.cq);

        assertThat(qp.postReceive(new ReceiveWorkRequest(1, List.of()))).isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).isEqualTo("receives come from a shared receive queue");
    }

    @Test
    void tellsAFullQueueFromAMistake() throws VerbsException {
        RcQueuePair qp = fixture.pair(LIMITS)[0];

        assertThat(qp.postSend(List.of(send(1), send(1), send(1)))).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(qp.explainPost()).startsWith("the queue is full");
        assertThat(qp.postReceive(new ReceiveWorkRequest(1, send(2).segments())))
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(qp.explainPost()).contains("; receive: more SGEs");
    }
}
