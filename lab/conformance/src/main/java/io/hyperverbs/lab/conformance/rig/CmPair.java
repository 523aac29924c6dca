package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;

/** Two sides that the connection manager has connected. For one thread. */
public record CmPair(CmSide caller, CmSide callee, CmConnection out, CmConnection in) {
    public static final long SERVICE = 0x4856_0000_0000_0001L;

    /** Connects two new sides with the standard parameters. */
    public static CmPair connect(Rig rig) throws VerbsException {
        return connect(rig, standard(), standard());
    }

    /** Connects two new sides with what they ask for. */
    public static CmPair connect(Rig rig, CmParameters call, CmParameters answer) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        return connect(CmSide.open(rig), callee, call, answer);
    }

    /** Connects two sides, of which {@code callee} listens. */
    public static CmPair connect(CmSide caller, CmSide callee, CmParameters call, CmParameters answer)
            throws VerbsException {
        CmConnection out = caller.calls(call);
        CmConnection in = callee.accepts(answer);
        var _ = caller.next(CmEvent.Type.ESTABLISHED);
        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        return new CmPair(caller, callee, out, in);
    }

    /** Standard parameters with all rights of the rig. */
    public static CmParameters standard() {
        return CmParameters.standard().withAccess(SideOptions.standard().qpAccess());
    }

    /** Standard parameters of a program that moves its queue pair itself. */
    public static CmParameters manual() {
        return standard().withTransitions(CmParameters.Transitions.PROGRAM);
    }

    /** One message arrives. */
    public static void carries(CmSide from, CmSide to) {
        to.side().receive(7, to.side().sge(0, 64));
        from.side().post(Operation.SEND.request(3, from.side().sge(0, 64)));
        var _ = from.side().sent(3, VerbsStatus.SUCCESS);
        var _ = to.side().received(7, VerbsStatus.SUCCESS);
    }
}
