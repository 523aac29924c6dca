package io.hyperverbs.hca;

import static io.hyperverbs.hca.TestQp.SIGNALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves of a queue pair through the command interface, and what each state does with requests. */
class QpStateTest {
    private final HcaFixture fixture = new HcaFixture();
    private Guest guest;
    private TestQp a;
    private TestQp b;
    private Buffer buffer;

    @BeforeEach
    void create() {
        guest = fixture.guest(1);
        a = new TestQp(fixture, guest);
        b = new TestQp(fixture, fixture.guest(2));
        buffer = guest.buffer(4096);
    }

    private void bring(TestQp qp, QpState state) {
        qp.modify(QpAttributes.to(QpState.RESET));
        if (state == QpState.RESET) {
            return;
        }
        if (state == QpState.ERR) {
            qp.modify(QpAttributes.to(QpState.ERR));
            return;
        }
        qp.init(HcaFixture.ALL_REMOTE);
        if (state != QpState.INIT) {
            qp.rtr(b);
            if (state != QpState.RTR) {
                qp.rts();
                if (state == QpState.SQD) {
                    qp.modify(QpAttributes.to(QpState.SQD));
                }
            }
        }
    }

    /** A change to {@code to} with all that the move needs. */
    private QpAttributes complete(QpState from, QpState to) {
        return switch (to) {
            case INIT -> from == QpState.INIT ? QpAttributes.to(to) : QpAttributes.toInit(Set.of(Access.REMOTE_READ));
            case RTR -> QpAttributes.toRtr(new Endpoint(1, b.qpn, 5, 0, 0, 0));
            case RTS -> from == QpState.RTR ? QpAttributes.toRts(9) : QpAttributes.to(to);
            default -> QpAttributes.to(to);
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"INIT", "RTR", "RTS"})
    void eachRequiredAttributeIsRequired(QpState to) {
        QpState from = QpState.of(to.code() - 1);
        QpAttributes all = complete(from, to);
        for (QpAttribute attribute : all.values().keySet()) {
            if (attribute == QpAttribute.STATE) {
                continue;
            }
            bring(a, from);

            HcaCommands.Outcome outcome = fixture.hca.modifyQp(a.qpn, all.without(attribute));

            assertThat(outcome.status()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(outcome.message()).contains(attribute.name());
            assertThat(a.state()).isEqualTo(from);
        }
    }

    @Test
    void anAttributeThatTheMoveDoesNotTakeChangesNothing() {
        bring(a, QpState.RESET);

        HcaCommands.Outcome outcome =
                fixture.hca.modifyQp(a.qpn, QpAttributes.toInit(Set.of()).with(QpAttribute.DEST_QPN, 5));

        assertThat(outcome.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(a.state()).isEqualTo(QpState.RESET);
        assertThat(fixture.counter(Counter.MODIFY_REFUSED)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "INIT, PORT, 0",
        "INIT, PORT, 3",
        "INIT, PKEY_INDEX, 3",
        "INIT, ACCESS_FLAGS, 32",
        "INIT, ACCESS_FLAGS, 64",
        "INIT, ACCESS_FLAGS, -1",
        "RTR, PATH_MTU, 0",
        "RTR, PATH_MTU, 255",
        "RTR, PATH_MTU, 1000",
        "RTR, PATH_MTU, 4096",
        "RTR, DEST_QPN, 16777216",
        "RTR, DEST_QPN, -1",
        "RTR, RQ_PSN, 16777216",
        "RTR, RQ_PSN, -1",
        "RTR, MAX_DEST_RD_ATOMIC, 17",
        "RTR, MAX_DEST_RD_ATOMIC, -1",
        "RTR, MIN_RNR_TIMER, 32",
        "RTR, AV, 0",
        "RTR, AV, 49152",
        "RTS, SQ_PSN, 16777216",
        "RTS, MAX_QP_RD_ATOMIC, 17",
        "RTS, RETRY_CNT, 8",
        "RTS, RETRY_CNT, -1",
        "RTS, RNR_RETRY, 8",
        "RTS, TIMEOUT, 32",
        "RTS, TIMEOUT, 4294967296"
    })
    void valuesOutOfRangeChangeNothing(QpState to, QpAttribute attribute, long value) {
        QpState from = QpState.of(to.code() - 1);
        bring(a, from);
        QpAttributes before = fixture.hca.queryQp(a.qpn);

        HcaCommands.Outcome outcome =
                fixture.hca.modifyQp(a.qpn, complete(from, to).with(attribute, value));

        assertThat(outcome.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(outcome.message()).contains(attribute.name());
        assertThat(fixture.hca.queryQp(a.qpn)).isEqualTo(before);
    }

    @Test
    void unknownQueuePairsAreInvalid() {
        for (int qpn : new int[] {0, 1, 0xffffff, a.qpn ^ 1, -1, a.qpn | 1 << 24}) {
            assertThat(fixture.hca.modifyQp(qpn, QpAttributes.to(QpState.ERR)).status())
                    .isEqualTo(VerbsStatus.EINVAL);
            assertThat(fixture.hca.queryQp(qpn)).isEqualTo(QpAttributes.none());
            assertThat(fixture.hca.destroyQp(qpn)).isEqualTo(VerbsStatus.ENOENT);
        }
    }

    @Test
    void takesAsManyQueuePairsAsTheHcaHasAndNotOneMore() {
        HcaFixture.TestCq cq = guest.cq(16);
        HcaCommands.QpInit wanted = new HcaCommands.QpInit(
                guest.uar,
                guest.pd,
                QpType.RC,
                cq.number,
                cq.number,
                fixture.allocate(1 << 16),
                QpLimits.of(1, 1),
                1,
                0);
        for (int live = 2; live < HcaFixture.LIMITS.maxQp(); live++) {
            assertThat(fixture.hca.createQp(wanted).status()).isEqualTo(VerbsStatus.SUCCESS);
        }

        assertThat(fixture.hca.createQp(wanted).status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(fixture.hca.destroyQp(a.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.createQp(wanted).status()).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void queryTellsAllAttributes() {
        bring(a, QpState.RTS);

        QpAttributes all = fixture.hca.queryQp(a.qpn);

        assertThat(all.values()).hasSize(QpAttribute.values().length);
        assertThat(all.get(QpAttribute.DEST_QPN)).isEqualTo(b.qpn);
        assertThat(all.get(QpAttribute.PATH_MTU)).isEqualTo(2048);
        assertThat(all.get(QpAttribute.SQ_PSN)).isEqualTo(a.psn);
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "RTR"})
    void doorbellBeforeRtsIsIgnoredAndTheRequestRunsInRts(QpState state) {
        bring(b, QpState.RESET);
        b.init(HcaFixture.ALL_REMOTE);
        b.rtr(a);
        bring(a, state);
        a.rdma(7, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);

        fixture.run();
        assertThat(a.cq.poll()).isNull();
        assertThat(a.state()).isEqualTo(state);
        if (state == QpState.RESET) {
            a.init(HcaFixture.ALL_REMOTE);
        }
        if (state != QpState.RTR) {
            a.rtr(b);
        }
        a.rts();
        fixture.run();

        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 7 SUCCESS");
    }

    @Test
    void sqdFinishesTheRequestUnderWay() {
        TestQp.connect(a, b);
        a.send(7, SIGNALLED, buffer, 0, 8);
        a.rdma(8, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);
        fixture.run();
        a.modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));
        fixture.run();
        assertThat(fixture.events()).isEmpty();

        Buffer target = b.guest.buffer(64);
        b.receive(70, target, 0, 8);
        fixture.pass(700_000);

        assertThat(a.cq.drain()).containsExactly("SEND 7 SUCCESS");
        assertThat(fixture.events()).containsExactly("SQ_DRAINED " + a.qpn);
    }

    @Test
    void resetForgetsRequestsWithoutCompletions() {
        TestQp.connect(a, b);
        a.send(7, SIGNALLED, buffer, 0, 8);
        a.receive(70, buffer, 0, 8);
        fixture.run();
        a.modify(QpAttributes.to(QpState.RESET));
        a.sends.reset();
        a.receives.reset();
        fixture.pass(1_000_000_000L);

        assertThat(a.cq.drain()).isEmpty();
        bring(b, QpState.RESET);
        TestQp.connect(a, b);
        a.rdma(9, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED, buffer, 0, 0, 0);
        fixture.run();
        assertThat(a.cq.drain()).containsExactly("RDMA_WRITE 9 SUCCESS");
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 66, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void sendIndexBeyondTheRingIsFatal(int producer) {
        TestQp.connect(a, b);
        QueueIndexes.sendProducerRelease(fixture.memory, a.rings, producer);
        a.guest.doorbell.ring(a.slot);
        fixture.run();

        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.events()).containsExactly("QP_FATAL " + a.qpn);
        assertThat(a.cq.drain()).isEmpty();
        assertThat(fixture.counter(Counter.RING_OVERRUNS)).isEqualTo(1);
    }

    @Test
    void acceptedRequestsFlushAfterAJump() {
        TestQp.connect(a, b);
        a.send(7, 0, buffer, 0, 8);
        a.send(8, 0, buffer, 0, 8);
        fixture.run();

        QueueIndexes.sendProducerRelease(fixture.memory, a.rings, 1);
        a.guest.doorbell.ring(a.slot);
        fixture.pass(700_000);

        assertThat(a.state()).isEqualTo(QpState.ERR);
        assertThat(a.cq.drain()).isEqualTo(List.of("SEND 7 WR_FLUSH_ERR", "SEND 8 WR_FLUSH_ERR"));
    }

    @ParameterizedTest
    @ValueSource(ints = {65, Integer.MIN_VALUE, -1})
    void receiveIndexBeyondTheRingIsFatalForTheReceiver(int producer) {
        TestQp.connect(a, b);
        QueueIndexes.receiveProducerRelease(fixture.memory, b.rings, producer);
        a.send(7, 0, buffer, 0, 8);
        fixture.run();

        assertThat(b.state()).isEqualTo(QpState.ERR);
        assertThat(a.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.events()).containsExactly("QP_FATAL " + b.qpn);
        assertThat(b.cq.drain()).isEmpty();
    }

    @Test
    void aFullRingIsNoJump() {
        TestQp.connect(a, b);
        for (int i = 0; i < 64; i++) {
            a.begin(i, SendWqeLayout.OPCODE_RDMA_WRITE, SIGNALLED);
            a.sends.publish(1);
        }
        a.guest.doorbell.ring(a.slot);
        fixture.run();

        assertThat(a.cq.drain()).hasSize(64);
    }

    @Test
    void doorbellsOfEmptySlotsAreCountedAndDropped() {
        for (int slot = 0; slot < 4096; slot++) {
            if (slot != a.slot && slot != a.cq.slot) {
                guest.doorbell.ring(slot);
            }
        }

        fixture.run();

        assertThat(fixture.counter(Counter.UNKNOWN_DOORBELLS)).isEqualTo(4094);
        assertThat(a.state()).isEqualTo(QpState.RESET);
    }
}
