package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.verbs.QpType;
import org.jspecify.annotations.Nullable;

/**
 * This side of a connection to another HCA: what the messages call it, and the last one that was sent. It outlives its
 * user for a while, so that what the peer sends again is answered again. Under the lock of its connection manager.
 */
public final class RemoteEnd {
    /** What the messages from here call it; unlike that of any other end of this HCA. */
    final int localId;

    /** IPv4 address of the peer's port. */
    final int address;

    final boolean passive;

    /** QPN of the peer's general services. */
    int peerGsi;

    /** What the peer calls it; 0 until that is known. */
    int remoteId;

    /** Of the REQ that made it, at the passive side. */
    long firstTransaction;

    /** Of what is sent next. */
    long transactionId;

    int ownQpn;
    int remoteQpn;

    @Nullable
    RemoteUser user;

    /** Transport of the queue pair here. */
    QpType type = QpType.RC;

    /** Its user has called or answered. */
    boolean known;

    /** It is kept without a user. */
    boolean retired;

    /** The last message but MRAs; null at the passive side until it answers. */
    @Nullable
    CmMessage lastMessage;

    byte @Nullable [] lastMad;

    /** Whether that is sent again until it is answered. */
    boolean awaitsAnswer;

    int triesLeft;
    long intervalNanos;

    RemoteEnd(int localId, int address, int peerGsi, boolean passive) {
        this.localId = localId;
        this.address = address;
        this.peerGsi = peerGsi;
        this.passive = passive;
    }

    /** IPv4 address of the peer's port. */
    public int address() {
        return address;
    }

    /** Who takes the call. */
    public void takenBy(RemoteUser taker) {
        user = taker;
    }
}
