package io.hyperverbs.backend.cm;

/** Who takes calls from other HCAs. Under the lock of its connection manager. */
public interface Callee {
    /**
     * A REQ came that was not here before.
     *
     * @param end this side of it; who takes the call is its user when this returns
     * @return what becomes of it
     */
    CallVerdict called(RemoteEnd end, IncomingCall call, long nowNanos);
}
