package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * One end of an unreliable transport. For one thread.
 *
 * @param <Q> its queue pair
 */
public abstract class UnreliableSide<Q extends QueuePair> extends AnySide<Q> {
    UnreliableSide(Rig rig, String name, Context context, SideOptions options, Maker<Q> maker) throws VerbsException {
        super(rig, name, rig.closing(context.allocatePd()), options, maker);
    }

    /** RESET to INIT. */
    public abstract void toInit() throws VerbsException;

    /** INIT to RTR; a connected side hears itself. */
    public abstract void toRtr() throws VerbsException;

    /** RTR to RTS. */
    public abstract void toRts() throws VerbsException;

    /** A request whose local key is wrong, whatever else the transport needs. */
    public abstract SendWorkRequest failing(long wrId) throws VerbsException;

    @Override
    public abstract SendWorkRequest harmless(long wrId) throws VerbsException;

    /** The port that the options say, else 1. */
    public int port() {
        return options().overrides().has(QpAttribute.PORT)
                ? (int) options().overrides().get(QpAttribute.PORT)
                : 1;
    }

    /** LID of {@link #port}. */
    public int lid() throws VerbsException {
        return context().queryPort(port()).lid();
    }

    /** A request fails by its local key, and the queue pair is in SQE then. */
    public void enterSqe() throws VerbsException {
        post(failing(MARKER));
        sent(MARKER, VerbsStatus.LOC_PROT_ERR);
        expectState(QpState.SQE);
    }

    @Override
    QueuePair bystander(CompletionQueue cq) throws VerbsException {
        UdQueuePair qp = rig().closing(pd().createUd(QpLimits.of(1, 0), cq, cq));
        qp.activate(1, 0);
        return qp;
    }
}
