package io.hyperverbs.hca.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which queue pair is held when domains miss keys, and how many domains are remembered. */
class KeyLockoutRulesTest {
    private static final int PAIRS = 1024;
    private static final long MINUTE = 60_000_000_000L;

    private final IdleQps qps = new IdleQps(8, QpLimits.of(1, 0));
    private final KeyLockout lockout = new KeyLockout(qps.table, new TimerWheel(8));
    private final DomainShare guesser = new DomainShare(1);
    private final DomainShare target = new DomainShare(2);
    private static final PortTable PORTS = ports();

    private final DomainShare bystander = new DomainShare(3);
    private long now = 1;

    @BeforeEach
    void switchOn() {
        lockout.policy(LockoutPolicy.standard());
        lockout.turn(now);
    }

    private static PortTable ports() {
        int[] counts = ContextMemoryLayout.counts(Map.of());
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        return new PortTable(PortSettings.standard(1, 2048), WireAddresses.none(), new ContextMemory(memory, 0));
    }

    private static void towards(Qp qp, Qp peer, QpState... states) {
        qp.apply(QpAttributes.none()
                .with(QpAttribute.DEST_QPN, peer.qpn())
                .with(QpAttribute.PORT, 1)
                .with(QpAttribute.AV, 1));
        qp.route().update(qp, PORTS);
        for (QpState state : states) {
            qp.move(state);
        }
    }

    /** A queue pair of {@code from} that came so far, and its peer of {@code to}. */
    private Qp[] pair(DomainShare from, DomainShare to, QpState... states) {
        Qp[] pair = {qps.create(QpType.RC, from), qps.create(QpType.RC, to)};
        towards(pair[0], pair[1], states);
        towards(pair[1], pair[0], QpState.INIT, QpState.RTR);
        return pair;
    }

    private Qp[] ready(DomainShare from, DomainShare to) {
        return pair(from, to, QpState.INIT, QpState.RTR, QpState.RTS);
    }

    private void end(Qp[] pair) {
        qps.table.destroy(pair[0]);
        qps.table.destroy(pair[1]);
    }

    /** On a connection that is gone then. */
    private void misses(int count, DomainShare from, DomainShare to) {
        Qp[] pair = pair(from, to);
        for (int i = 0; i < count; i++) {
            lockout.missed(pair[0], pair[1]);
        }
        end(pair);
    }

    private static boolean isHeld(Qp qp) {
        return qp.sends().waitsFor() == SendQueue.Wait.LOCKOUT;
    }

    @Test
    void guesserWaitsWhoeverOfTheTwoConnectsLast() {
        misses(8, guesser, target);
        Qp[] first = ready(guesser, target);
        Qp[] second = ready(guesser, target);

        lockout.connected(first[0]);
        lockout.connected(second[1]);

        assertThat(isHeld(first[0])).isTrue();
        assertThat(isHeld(second[0])).isTrue();
        assertThat(isHeld(first[1])).isFalse();
        assertThat(isHeld(second[1])).isFalse();
    }

    @Test
    void guesserMayConnectToAnotherDomain() {
        misses(8, guesser, target);
        Qp[] pair = ready(guesser, bystander);

        lockout.connected(pair[0]);

        assertThat(isHeld(pair[0])).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void holdsWhoCouldSend(QpState state) {
        Qp[] pair = switch (state) {
            case RESET -> pair(guesser, target);
            case INIT -> pair(guesser, target, QpState.INIT);
            case RTR -> pair(guesser, target, QpState.INIT, QpState.RTR);
            case RTS -> ready(guesser, target);
            case SQD -> pair(guesser, target, QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD);
            case ERR, SQE -> pair(guesser, target, QpState.ERR);
        };

        misses(8, guesser, target);

        assertThat(isHeld(pair[0])).isEqualTo(state == QpState.RTS || state == QpState.SQD);
    }

    @Test
    void forgetsThePairsOfAQuietMinuteWhenThereAreMany() {
        for (int i = 0; i < PAIRS; i++) {
            misses(1, new DomainShare(10 + i), target);
        }
        assertThat(lockout.pairs()).isEqualTo(PAIRS);

        now += MINUTE + 1;
        lockout.turn(now);
        misses(1, guesser, target);

        assertThat(lockout.pairs()).isEqualTo(1);
    }

    @Test
    void forgetsNobodyWhileThereAreFew() {
        misses(1, bystander, target);
        now += MINUTE + 1;
        lockout.turn(now);

        misses(1, guesser, target);

        assertThat(lockout.pairs()).isEqualTo(2);
    }

    @Test
    void manyOthersDoNotMakeItForgetAGuesser() {
        misses(8, guesser, target);
        for (int i = 0; i < 2 * PAIRS; i++) {
            misses(1, new DomainShare(10 + i), target);
        }
        Qp[] pair = ready(guesser, target);

        lockout.connected(pair[0]);

        assertThat(lockout.pairs()).isEqualTo(1 + 2 * PAIRS);
        assertThat(isHeld(pair[0])).isTrue();
    }
}
