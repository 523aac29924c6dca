package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One end of unreliable datagrams. For one thread. */
public final class UdSide extends UnreliableSide<UdQueuePair> {
    /** The Q_Key of every side whose options say no other. */
    public static final int QKEY = 0x0011_2233;

    /** The immediate data that {@link #mark} sends. */
    private static final int MARK = 0x6d61_726b;

    private @Nullable AddressHandle toSelf;

    private UdSide(Rig rig, String name, Context context, SideOptions options) throws VerbsException {
        super(rig, name, context, options, ProtectionDomain::createUd);
    }

    /** A side with a context of its own, its queue pair in RESET. */
    public static UdSide open(Rig rig, String name, SideOptions options) throws VerbsException {
        Rig place = rig.nextPlace();
        return open(place, place.context(), name, options);
    }

    /** A side in a context that exists, its queue pair in RESET. */
    public static UdSide open(Rig rig, Context context, String name, SideOptions options) throws VerbsException {
        return new UdSide(rig, name, context, options);
    }

    /** A side with a context of its own, in RTS. */
    public static UdSide active(Rig rig, String name, SideOptions options) throws VerbsException {
        return open(rig, name, options).activate();
    }

    /** A side with the standard options, in RTS. */
    public static UdSide active(Rig rig, String name) throws VerbsException {
        return active(rig, name, SideOptions.standard());
    }

    /** RESET to RTS. */
    public UdSide activate() throws VerbsException {
        toInit();
        toRtr();
        toRts();
        return this;
    }

    @Override
    public void toInit() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toUdInit(QKEY)));
    }

    @Override
    public void toRtr() throws VerbsException {
        to(QpState.RTR);
    }

    @Override
    public void toRts() throws VerbsException {
        qp().modify(options().apply(QpAttributes.toUnacknowledgedRts(0)));
    }

    /** What datagrams for it must carry. */
    public int qkey() {
        return options().overrides().has(QpAttribute.QKEY)
                ? (int) options().overrides().get(QpAttribute.QKEY)
                : QKEY;
    }

    /** Attaches its queue pair; detaches it when the case ends, if that was not done before. */
    public void attach(Gid group, int lid) throws VerbsException {
        qp().attachMulticast(group, lid);
        rig().ending(() -> detach(group, lid));
    }

    private void detach(Gid group, int lid) throws VerbsException {
        try {
            qp().detachMulticast(group, lid);
        } catch (VerbsException refusal) {
            if (refusal.status() != VerbsStatus.EINVAL) {
                throw refusal;
            }
        }
    }

    /** A handle in its PD, closed when the case ends. */
    public AddressHandle ah(AddressAttributes attributes) throws VerbsException {
        return rig().closing(pd().createAh(attributes));
    }

    /** A handle of its own port for the port of that LID. */
    public AddressHandle ah(int lid) throws VerbsException {
        return ah(new AddressAttributes(port(), lid, 0, 0, 0, null));
    }

    /** A handle for the port of {@code peer}. */
    public AddressHandle ah(UdSide peer) throws VerbsException {
        return ah(peer.lid());
    }

    /** A signalled datagram to {@code peer}, with its Q_Key. */
    public SendWorkRequest to(UdSide peer, AddressHandle ah, long wrId, Sge... segments) {
        return new SendWorkRequest.SendTo(
                wrId,
                SendFlags.SIGNALLED,
                List.of(segments),
                ah.number(),
                peer.qp().qpn(),
                peer.qkey());
    }

    /** Sends a datagram to {@code peer} and sees it leave. */
    public void send(UdSide peer, AddressHandle ah, long wrId, Sge... segments) {
        post(to(peer, ah, wrId, segments));
        sent(wrId, VerbsStatus.SUCCESS);
    }

    /**
     * What was sent before did not arrive: the receive {@code wrId}, posted before all of it, gets
     * an empty datagram sent now.
     */
    public void nothingArrived(UdSide peer, AddressHandle ah, long wrId) {
        mark(peer, ah);
        WorkCompletion next = peer.received(wrId, VerbsStatus.SUCCESS);
        Expect.isTrue(
                next.hasImmediate() && next.immediate() == MARK,
                peer + " received something that must be dropped: " + next);
    }

    private void mark(UdSide peer, AddressHandle ah) {
        post(new SendWorkRequest.SendToWithImmediate(
                Side.MARKER,
                SendFlags.SIGNALLED,
                List.of(),
                ah.number(),
                peer.qp().qpn(),
                peer.qkey(),
                MARK));
        sent(Side.MARKER, VerbsStatus.SUCCESS);
    }

    @Override
    public SendWorkRequest failing(long wrId) throws VerbsException {
        return to(this, self(), wrId, new Sge(at(0), 8, UcSide.NO_KEY));
    }

    @Override
    public SendWorkRequest harmless(long wrId) throws VerbsException {
        return new SendWorkRequest.SendTo(wrId, SendFlags.SIGNALLED, List.of(), self().number(), 0, 0);
    }

    private AddressHandle self() throws VerbsException {
        AddressHandle known = toSelf;
        if (known == null) {
            known = ah(lid());
            toSelf = known;
        }
        return known;
    }
}
