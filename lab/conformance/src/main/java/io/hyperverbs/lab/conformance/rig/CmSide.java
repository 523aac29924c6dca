package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;

/** A side with a channel of the connection manager. For one thread. */
public final class CmSide {
    private final Rig rig;
    private final Side side;
    private final ConnectionManager manager;
    private final CmChannel channel;

    private CmSide(Rig rig, Side side) throws VerbsException {
        this.rig = rig;
        this.side = side;
        this.manager = ConnectionManager.of(side.context());
        this.channel = rig.closing(manager.createChannel());
    }

    /** A side in a context of its own, its queue pair in RESET. */
    public static CmSide open(Rig rig) throws VerbsException {
        return open(rig, SideOptions.standard());
    }

    /** A side with these options, in the rig's first domain: names lead there. */
    public static CmSide open(Rig rig, SideOptions options) throws VerbsException {
        return new CmSide(rig, rig.side(rig.context(), options));
    }

    /** A side that listens at {@link CmPair#SERVICE} for one call at a time. */
    public static CmSide listening(Rig rig) throws VerbsException {
        CmSide side = open(rig);
        var _ = side.listen(CmPair.SERVICE, 1);
        return side;
    }

    public Side side() {
        return side;
    }

    public ConnectionManager manager() {
        return manager;
    }

    public CmChannel channel() {
        return channel;
    }

    public CmListener listen(long serviceId, int backlog) throws VerbsException {
        return rig.closing(manager.listen(channel, serviceId, backlog));
    }

    /** A connection to the domain itself. */
    public CmConnection resolve() throws VerbsException {
        return rig.closing(
                manager.resolve(channel, Destination.guest(rig.domain().name())));
    }

    /** A REQ of its queue pair to the domain itself. */
    public CmConnection calls(CmParameters parameters) throws VerbsException {
        CmConnection out = resolve();
        out.connect(side.qp(), CmPair.SERVICE, parameters);
        return out;
    }

    /** A REQ with the standard parameters. */
    public CmConnection calls() throws VerbsException {
        return calls(CmPair.standard());
    }

    /** The REQ that comes next; the end that was called. */
    public CmConnection called() throws VerbsException {
        return next(CmEvent.Type.CONNECT_REQUEST).connection();
    }

    /** Accepts the REQ that comes next. */
    public CmConnection accepts(CmParameters parameters) throws VerbsException {
        CmConnection in = called();
        in.accept(side.qp(), parameters);
        return in;
    }

    /** The next event, which must be of that type. */
    public CmEvent next(CmEvent.Type type) throws VerbsException {
        CmEvent event =
                channel.await(Side.PATIENCE).orElseThrow(() -> new AssertionError("no " + type + " event came"));
        Expect.equal(type, event.type(), "event (" + event + ")");
        if (type == CmEvent.Type.CONNECT_REQUEST) {
            var _ = rig.closing(event.connection());
        }
        return event;
    }

    /** A REJ comes, with that reason. */
    public CmEvent rejected(RejectReason reason) throws VerbsException {
        CmEvent event = next(CmEvent.Type.REJECTED);
        Expect.equal(reason, event.reject(), "reason of the REJ");
        Expect.equal(VerbsStatus.ECONNREFUSED, event.status(), "status");
        return event;
    }

    /** No event is there; says nothing of what is under way. */
    public void noEvent() throws VerbsException {
        channel.await(Duration.ZERO).ifPresent(event -> {
            throw new AssertionError("event " + event + ", must be none");
        });
    }
}
