package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection. For one thread. */
public final class Side extends AnySide<RcQueuePair> {
    private final int psn;
    private @Nullable Endpoint endpoint;

    Side(Rig rig, String name, Context context, SideOptions options) throws VerbsException {
        this(rig, name, rig.closing(context.allocatePd()), options);
    }

    Side(Rig rig, String name, ProtectionDomain pd, SideOptions options) throws VerbsException {
        super(rig, name, pd, options, ProtectionDomain::createRc);
        this.psn = (name.hashCode() * 0x9e3779b1) >>> 8;
    }

    /** What the peer must know. */
    public Endpoint endpoint() throws VerbsException {
        Endpoint known = endpoint;
        if (known == null) {
            known = qp().endpoint(psn(), region());
            endpoint = known;
        }
        return known;
    }

    /** First packet sequence number this side sends. */
    public int psn() {
        return options().overrides().has(QpAttribute.SQ_PSN)
                ? (int) options().overrides().get(QpAttribute.SQ_PSN)
                : psn;
    }

    /** RESET to RTS. */
    public void connect(Endpoint peer) throws VerbsException {
        toInit();
        toRtr(peer);
        toRts();
    }

    public void toInit() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toInit(options().qpAccess())));
    }

    public void toRtr(Endpoint peer) throws VerbsException {
        qp().modify(options().apply(QpAttributes.toRtr(peer)));
    }

    public void toRts() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toRts(psn())));
    }

    /**
     * Nothing is left on the send queue: a zero-length write, posted now, completes next. For a
     * queue pair in RTS whose peer allows writes, or in ERR.
     */
    public void noMoreSends() throws VerbsException {
        VerbsStatus outcome = state() == QpState.ERR ? VerbsStatus.WR_FLUSH_ERR : VerbsStatus.SUCCESS;
        post(harmless(MARKER));
        sent(MARKER, outcome);
    }

    @Override
    SendWorkRequest harmless(long wrId) {
        return Operation.WRITE.request(wrId);
    }

    @Override
    QueuePair bystander(CompletionQueue cq) throws VerbsException {
        RcQueuePair qp = rig().closing(pd().createRc(QpLimits.of(1, 0), cq, cq));
        qp.connect(new Endpoint(endpoint().lid(), qp.qpn(), 0, 0, 0, 0), 0, Set.of());
        return qp;
    }
}
