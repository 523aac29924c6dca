package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tools see of a request whose peer has no receive. */
class RnrContextTest extends PairFixture {
    private static final long RNR_NANOS = 700_000;

    RnrContextTest() {
        super(QpType.RC, 64);
    }

    @BeforeEach
    void connect() {
        TestQp.connect(a, b);
    }

    private void retry(int retries) {
        a.tune(QpAttribute.RNR_RETRY, retries);
    }

    private void send() {
        a.send(7, TestQp.SIGNALLED, bufferA, 0, 8);
        fixture.run();
    }

    private long noted(Field field) {
        for (int i = 0; ; i++) {
            long entry = ContextMemoryLayout.entry(fixture.memory, fixture.contexts, Table.QP, i);
            if (QpContextLayout.get(fixture.memory, entry, Field.QPN) == a.qpn) {
                return QpContextLayout.get(fixture.memory, entry, field);
            }
        }
    }

    @Test
    void countsFromTheFirstNakUntilAReceiveIsThere() {
        retry(7);
        assertThat(noted(Field.RNR_NAKS)).isZero();
        fixture.pass(5_000);
        long began = fixture.now;

        send();
        for (int i = 0; i < 9; i++) {
            fixture.pass(RNR_NANOS);
        }

        assertThat(noted(Field.RNR_NAKS)).isEqualTo(10);
        assertThat(noted(Field.RNR_SINCE_NANOS)).isEqualTo(began);

        b.receive(70, bufferB, 0, 8);
        fixture.pass(RNR_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(noted(Field.RNR_NAKS)).isZero();
        assertThat(noted(Field.RNR_SINCE_NANOS)).isZero();
    }

    @Test
    void nothingWaitsOnceRetriesAreOver() {
        retry(1);
        send();
        assertThat(noted(Field.RNR_NAKS)).isEqualTo(1);

        fixture.pass(RNR_NANOS);

        assertThat(a.cq.poll().explain()).startsWith("RNR_RETRY_EXC_ERR");
        assertThat(noted(Field.RNR_NAKS)).isZero();
    }

    @Test
    void nothingWaitsInResetAndWithoutAPeer() {
        retry(7);
        send();
        b.modify(QpAttributes.to(QpState.RESET));
        fixture.pass(RNR_NANOS);
        assertThat(noted(Field.RNR_NAKS))
                .as("an acknowledgement is waited for now")
                .isZero();

        TestQp c = new TestQp(fixture, guestA);
        TestQp d = new TestQp(fixture, guestB);
        TestQp.connect(c, d);
        c.send(8, TestQp.SIGNALLED, bufferA, 0, 8);
        fixture.run();
        c.modify(QpAttributes.to(QpState.RESET));

        for (int i = 0; i < 4; i++) {
            long entry = ContextMemoryLayout.entry(fixture.memory, fixture.contexts, Table.QP, i);
            assertThat(QpContextLayout.get(fixture.memory, entry, Field.RNR_NAKS))
                    .isZero();
        }
    }
}
