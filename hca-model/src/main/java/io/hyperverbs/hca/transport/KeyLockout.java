package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.verbs.QpState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slows a domain down that misses remote keys of another (ReDMArk, mitigations against guessing):
 * after so many misses in a minute all its requests to that domain wait, at each further miss twice
 * as long. A miss costs a connection of RC anyway, and the guesser makes a new one; so domains are
 * counted, not queue pairs, and what succeeds between misses forgives none.
 *
 * <p>The other direction and what a domain does with itself go on. Only queue pairs connected to
 * each other are held: a wait does not reveal whose a number is. Engine thread only.
 */
public final class KeyLockout {
    /** The longest delay that a responder's RNR timer can ask for, code 0. */
    private static final long LONGEST_RNR_NANOS = 655_360_000;

    /** Pairs of domains remembered before those are looked for that can be forgotten. */
    private static final int PAIRS = 1024;

    private final QpTable qps;
    private final TimerWheel timers;
    private final Map<Long, LockoutState> pairs = new HashMap<>();
    private LockoutPolicy policy = LockoutPolicy.off();
    private long nowNanos;

    public KeyLockout(QpTable qps, TimerWheel timers) {
        this.qps = qps;
        this.timers = timers;
    }

    /** From the next miss on. */
    public void policy(LockoutPolicy changed) {
        policy = changed;
    }

    /** A turn of the engine began. */
    public void turn(long now) {
        nowNanos = now;
    }

    /** A request of {@code qp} had no key for what it wanted of {@code target}. */
    public void missed(Qp qp, Qp target) {
        if (!policy.isOn() || qp.share() == target.share()) {
            return;
        }
        if (pairs.size() >= PAIRS) {
            pairs.values().removeIf(state -> state.isForgotten(policy, nowNanos));
        }
        LockoutState state = pairs.computeIfAbsent(pair(qp.share(), target.share()), _ -> new LockoutState(policy));
        if (state.miss(policy, nowNanos)) {
            qp.context().count(Counter.KEY_LOCKOUTS);
            holdAll(qp.share(), target.share(), state.untilNanos());
        }
    }

    /** Pairs of domains remembered. */
    int pairs() {
        return pairs.size();
    }

    /** A queue pair was given its peer: if the two are locked out, they wait with the others. */
    public void connected(Qp qp) {
        Qp peer = pairs.isEmpty() ? null : peerOf(qp);
        if (peer != null) {
            holdIfLocked(qp, peer);
            holdIfLocked(peer, qp);
        }
    }

    private void holdIfLocked(Qp qp, Qp target) {
        LockoutState state = pairs.get(pair(qp.share(), target.share()));
        if (state != null && state.isPausing(nowNanos)) {
            hold(qp, state.untilNanos());
        }
    }

    private void holdAll(DomainShare from, DomainShare to, long untilNanos) {
        for (int i = 0; i < qps.capacity(); i++) {
            Qp qp = qps.at(i);
            if (qp != null && qp.share() == from) {
                Qp peer = peerOf(qp);
                if (peer != null && peer.share() == to) {
                    hold(qp, untilNanos);
                }
            }
        }
    }

    // A delay that a peer's RNR NAK asked for is not made shorter by it.
    private void hold(Qp qp, long untilNanos) {
        if (qp.state() != QpState.RTS && qp.state() != QpState.SQD) {
            return;
        }
        boolean delayed = qp.sends().waitsFor() == SendQueue.Wait.RNR;
        long pause = untilNanos - nowNanos;
        qp.sends().hold(SendQueue.Wait.LOCKOUT);
        timers.start(qp.index(), nowNanos, delayed ? Math.max(pause, LONGEST_RNR_NANOS) : pause);
    }

    private @Nullable Qp peerOf(Qp qp) {
        Qp peer = qp.route().destinationPort() != 0 ? qps.byNumber(qp.destinationQpn()) : null;
        return peer != null && peer.route().destinationPort() != 0 && peer.destinationQpn() == qp.qpn() ? peer : null;
    }

    private static long pair(DomainShare from, DomainShare to) {
        return (long) from.domain() << 32 | (to.domain() & 0xffff_ffffL);
    }
}
