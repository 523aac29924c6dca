package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.verbs.QpState;
import org.jspecify.annotations.Nullable;

/** Queue pairs that are connected over a wire, by their index. Engine thread only. */
final class WireQps {
    private final @Nullable WireQp[] wires;

    WireQps(int maxQp) {
        wires = new WireQp[maxQp];
    }

    /** Of a queue pair that is on a wire. */
    WireQp of(Qp qp) {
        WireQp wire = wires[qp.index()];
        if (wire == null) {
            throw new IllegalStateException(qp + " is not on a wire");
        }
        return wire;
    }

    @Nullable
    WireQp find(Qp qp) {
        return wires[qp.index()];
    }

    /** Follows a change of the queue pair's attributes or state. */
    void follow(Qp qp) {
        boolean isConnected = qp.isResponding() && qp.responderTransport() != Qp.UD;
        if (qp.state() == QpState.RESET) {
            forget(qp);
        } else if (isConnected && qp.route().isRemote()) {
            WireQp wire = wires[qp.index()];
            if (wire == null) {
                wire = new WireQp(qp);
                wires[qp.index()] = wire;
            }
            wire.pace.rate(qp.staticRate());
            if (!qp.sends().isOutstanding()) {
                wire.startAt(qp);
            }
        }
    }

    /** The queue pair is in RESET, or is destroyed. */
    void forget(Qp qp) {
        wires[qp.index()] = null;
    }
}
