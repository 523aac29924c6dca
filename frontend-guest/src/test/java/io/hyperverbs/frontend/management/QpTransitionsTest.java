package io.hyperverbs.frontend.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.sa.PathRecord;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue pair is set to, as {@code rdma_init_qp_attr} has it. */
class QpTransitionsTest {
    private static final CmOffer OWN = new CmOffer(QpType.RC, 0x11, 0x1111, 3, 9, 2, 4, 12);
    private static final CmOffer PEER = new CmOffer(QpType.RC, 0x22, 0x2222, 7, 5, 6, 1, 19);
    private static final PathRecord PATH = new PathRecord(new Gid(1, 2), new Gid(1, 3), 7, 8, 0xffff, 0, 1024, 0, true);
    private static final CmParameters PARAMETERS =
            CmParameters.standard().withAccess(Set.of(Access.REMOTE_READ, Access.LOCAL_WRITE));

    @Test
    void takesReadsFromTheSmallerOfOfferAndWish() throws VerbsException {
        QpTransitions transitions = known(QpType.RC, true);

        // This side answers 3 and the peer wants 5; this side wants 9 and the peer answers 7.
        assertThat(get(transitions, QpState.RTR, QpAttribute.MAX_DEST_RD_ATOMIC))
                .isEqualTo(3);
        assertThat(get(transitions, QpState.RTS, QpAttribute.MAX_QP_RD_ATOMIC)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesRetriesFromTheCallerAndRnrRetriesFromThePeer(boolean caller) throws VerbsException {
        QpTransitions transitions = known(QpType.RC, caller);

        assertThat(get(transitions, QpState.RTS, QpAttribute.RETRY_CNT)).isEqualTo(caller ? 2 : 6);
        assertThat(get(transitions, QpState.RTS, QpAttribute.RNR_RETRY)).isEqualTo(1);
        assertThat(get(transitions, QpState.RTS, QpAttribute.TIMEOUT)).isEqualTo(12);
    }

    @Test
    void isInThePartitionOfThePath() throws VerbsException {
        QpTransitions transitions = known(QpType.RC, false);

        assertThat(get(transitions, QpState.INIT, QpAttribute.PKEY_INDEX)).isEqualTo(3);
        // A program that has moved it to INIT has chosen one.
        assertThat(transitions.attributes(QpState.RTR).has(QpAttribute.PKEY_INDEX))
                .isFalse();
    }

    @Test
    void addressesThePeer() throws VerbsException {
        QpTransitions transitions = known(QpType.RC, true);

        assertThat(get(transitions, QpState.RTR, QpAttribute.DEST_QPN)).isEqualTo(0x22);
        assertThat(get(transitions, QpState.RTR, QpAttribute.RQ_PSN)).isEqualTo(0x2222);
        assertThat(get(transitions, QpState.RTR, QpAttribute.PATH_MTU)).isEqualTo(1024);
        assertThat(get(transitions, QpState.RTS, QpAttribute.SQ_PSN)).isEqualTo(0x1111);
    }

    @Test
    void setsNothingOfReliableTransportOnUc() throws VerbsException {
        QpTransitions transitions = known(QpType.UC, true);

        assertThat(transitions.attributes(QpState.RTR).has(QpAttribute.MAX_DEST_RD_ATOMIC))
                .isFalse();
        assertThat(transitions.attributes(QpState.RTR).has(QpAttribute.MIN_RNR_TIMER))
                .isFalse();
        QpAttributes ready = transitions.attributes(QpState.RTS);
        for (QpAttribute attribute : List.of(
                QpAttribute.MAX_QP_RD_ATOMIC, QpAttribute.TIMEOUT, QpAttribute.RETRY_CNT, QpAttribute.RNR_RETRY)) {
            assertThat(ready.has(attribute)).as("%s", attribute).isFalse();
        }
        assertThat(ready.get(QpAttribute.SQ_PSN)).isEqualTo(0x1111);
    }

    @ParameterizedTest
    @EnumSource(QpState.class)
    void knowsOnlyTheWayUp(QpState state) throws VerbsException {
        QpTransitions unanswered = transitions(new FakeQp(QpType.RC, QpState.RESET), true);
        if (state != QpState.INIT) {
            assertThatThrownBy(() -> unanswered.attributes(state))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
        }
        QpTransitions answered = known(QpType.RC, true);
        if (Set.of(QpState.INIT, QpState.RTR, QpState.RTS).contains(state)) {
            assertThat(answered.attributes(state).get(QpAttribute.STATE)).isEqualTo(state.code());
        } else {
            assertThatThrownBy(() -> answered.attributes(state)).isInstanceOf(VerbsException.class);
        }
    }

    /** A program may have moved it on already, to post receives. */
    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT"})
    void goesOnFromWhereTheQueuePairIs(QpState from) throws VerbsException {
        FakeQp qp = new FakeQp(QpType.RC, from);
        QpTransitions transitions = transitions(qp, false);
        transitions.peer(PEER);

        transitions.toRts();

        assertThat(qp.moves)
                .isEqualTo(
                        from == QpState.RESET
                                ? List.of(QpState.INIT, QpState.RTR, QpState.RTS)
                                : List.of(QpState.RTR, QpState.RTS));
    }

    @Test
    void goesToAnotherHcaByItsAddress() throws VerbsException {
        Gid address = Gid.ofIpv4(0x0a00_0003);
        PathRecord far = new PathRecord(Gid.ofIpv4(0x0a00_0001), address, 7, 0, 0xffff, 0, 1024, 12, true);
        QpTransitions transitions =
                new QpTransitions(new FakeQp(QpType.RC, QpState.RESET).asQueuePair(), PARAMETERS, OWN, far, 0, true);
        transitions.peer(PEER);

        assertThat(transitions.attributes(QpState.RTR).route()).isEqualTo(GlobalRoute.to(address));
        assertThat(known(QpType.RC, true).attributes(QpState.RTR).route()).isNull();
    }

    private static QpTransitions known(QpType type, boolean caller) {
        QpTransitions transitions = transitions(new FakeQp(type, QpState.RESET), caller);
        transitions.peer(PEER);
        return transitions;
    }

    private static QpTransitions transitions(FakeQp qp, boolean caller) {
        return new QpTransitions(qp.asQueuePair(), PARAMETERS, OWN, PATH, 3, caller);
    }

    private static long get(QpTransitions transitions, QpState state, QpAttribute attribute) throws VerbsException {
        return transitions.attributes(state).get(attribute);
    }

    /** A queue pair that notes its moves; nothing else is asked of it. */
    private static final class FakeQp {
        private final QpType type;
        private final QpState first;
        private final List<QpState> moves = new ArrayList<>();

        FakeQp(QpType type, QpState first) {
            this.type = type;
            this.first = first;
        }

        QueuePair asQueuePair() {
            return (QueuePair) Proxy.newProxyInstance(
                    QueuePair.class.getClassLoader(),
                    new Class<?>[] {QueuePair.class},
                    (_, method, arguments) -> answer(method.getName(), arguments));
        }

        private @Nullable Object answer(String verb, Object[] arguments) {
            return switch (verb) {
                case "type" -> type;
                case "query" -> QpAttributes.to(moves.isEmpty() ? first : moves.getLast());
                case "modify" -> {
                    moves.add(((QpAttributes) arguments[0]).state());
                    yield null;
                }
                default -> throw new UnsupportedOperationException(verb);
            };
        }
    }
}
