package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmConnection;

/** Two sides, one of which listens, and the other's connection to it. For one thread. */
public record CmCall(CmSide caller, CmSide callee, CmConnection out) {
    /** Nothing is sent yet. */
    public static CmCall open(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        return new CmCall(caller, callee, caller.resolve());
    }

    /** Sends the REQ and takes it; the end that was called. */
    public CmConnection arrives() throws VerbsException {
        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());
        return callee.called();
    }
}
