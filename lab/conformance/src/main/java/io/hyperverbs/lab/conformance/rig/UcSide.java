package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UcQueuePair;
import io.hyperverbs.verbs.VerbsException;

/** One end of an unreliable connection. For one thread. */
public final class UcSide extends UnreliableSide<UcQueuePair> {
    /** An lkey and rkey of nothing. */
    public static final int NO_KEY = 0x0bad_0bad;

    private static final int PSN = 0x12_3456;

    private UcSide(Rig rig, String name, Context context, SideOptions options) throws VerbsException {
        super(rig, name, context, options, ProtectionDomain::createUc);
    }

    /** Two sides, connected and in RTS. */
    public record Pair(UcSide requester, UcSide responder) {}

    /** A side with a context of its own, its queue pair in RESET. */
    public static UcSide open(Rig rig, String name, SideOptions options) throws VerbsException {
        Rig place = rig.nextPlace();
        return new UcSide(place, name, place.context(), options);
    }

    /** A side with the standard options. */
    public static UcSide open(Rig rig, String name) throws VerbsException {
        return open(rig, name, SideOptions.standard());
    }

    /** Two sides with the standard options, connected. */
    public static Pair pair(Rig rig) throws VerbsException {
        return pair(rig, SideOptions.standard(), SideOptions.standard());
    }

    /** Two sides, connected. */
    public static Pair pair(Rig rig, SideOptions requester, SideOptions responder) throws VerbsException {
        UcSide from = open(rig, "requester", requester);
        UcSide to = open(rig, "responder", responder);
        to.connect(from.endpoint());
        from.connect(to.endpoint());
        return new Pair(from, to);
    }

    /** What the peer must know. */
    public Endpoint endpoint() throws VerbsException {
        return new Endpoint(lid(), qp().qpn(), PSN, region().address(), region().rkey(), region().lengthBytes());
    }

    /** RESET to RTS. */
    public void connect(Endpoint peer) throws VerbsException {
        toInit();
        toRtr(peer);
        toRts();
    }

    @Override
    public void toInit() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toInit(options().qpAccess())));
    }

    @Override
    public void toRtr() throws VerbsException {
        toRtr(endpoint());
    }

    public void toRtr(Endpoint peer) throws VerbsException {
        qp().modify(options().apply(QpAttributes.toUcRtr(peer)));
    }

    @Override
    public void toRts() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toUnacknowledgedRts(PSN)));
    }

    @Override
    public SendWorkRequest failing(long wrId) {
        return Operation.SEND.request(wrId, new Sge(at(0), 8, NO_KEY));
    }

    @Override
    public SendWorkRequest harmless(long wrId) {
        return Operation.WRITE.request(wrId);
    }
}
