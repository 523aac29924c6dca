package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * Takes the receive that a message needs, and finds the place its payload goes to. A receive that
 * is no good is completed in error at once; the sender's answer is up to the transport. Engine thread
 * only.
 */
public final class ReceiveWqeFetch {
    /** What came of it. */
    public enum Outcome {
        TAKEN,
        /** None is posted; nothing changed. */
        NO_RECEIVE,
        /** The producer index is beyond the ring; the queue pair is in ERR. */
        RING_OVERRUN,
        /** The receive names more segments than there can be; the queue pair is in ERR. */
        MALFORMED,
        /** The message is longer; the queue pair is in ERR, unless it was a datagram. */
        TOO_SMALL,
        /** A key, range or right is wrong; the queue pair is in ERR. */
        PROTECTION
    }

    private final Tpt tpt;
    private final Completer completer;
    private final QpErrors errors;
    private final SrqReceives shared;
    private final CompletionError error = new CompletionError();

    public ReceiveWqeFetch(Tpt tpt, Completer completer, QpErrors errors, SrqReceives shared) {
        this.shared = shared;
        this.tpt = tpt;
        this.completer = completer;
        this.errors = errors;
    }

    /** Holds the next receive, or keeps the one that is held. */
    public Outcome take(Qp qp) {
        ReceiveQueue receives = qp.receives();
        Srq srq = receives.shared();
        if (srq != null) {
            return receives.isHeld() ? Outcome.TAKEN : shared.take(qp, srq, 0);
        }
        if (!receives.isHeld()) {
            switch (receives.find()) {
                case NONE -> {
                    return Outcome.NO_RECEIVE;
                }
                case BEYOND -> {
                    errors.ringOverrun(qp);
                    return Outcome.RING_OVERRUN;
                }
                case SOME -> receives.fetch();
            }
        }
        int segments = receives.segmentCount();
        if (segments < 0 || segments > qp.plan().limits().receiveSge()) {
            error.set(VendorError.RECEIVE_MALFORMED, 0, 0, 0, segments & 0xffff_ffffL);
            completer.receiveFailed(qp, VerbsStatus.LOC_QP_OP_ERR, error);
            return Outcome.MALFORMED;
        }
        return Outcome.TAKEN;
    }

    /**
     * As {@link #take}, for a datagram of so many bytes, header and all. Whoever knows the Q_Key
     * may send one, so one too long must cost the receiver nothing: TOO_SMALL, and the receive
     * stays the next one of its queue.
     */
    public Outcome takeForDatagram(Qp qp, long lengthBytes) {
        Srq srq = qp.receives().shared();
        Outcome outcome = srq == null ? take(qp) : shared.take(qp, srq, lengthBytes);
        if (outcome == Outcome.TAKEN && srq == null && capacityBytes(qp) < lengthBytes) {
            outcome = Outcome.TOO_SMALL;
        }
        if (outcome == Outcome.TOO_SMALL) {
            qp.context().count(Counter.RESP_LOCAL_LENGTH_ERROR);
        }
        return outcome;
    }

    private static long capacityBytes(Qp qp) {
        return qp.receives().capacityBytes(qp.receives().segmentCount());
    }

    /** Fills {@code place} with the segments of the fetched receive that so many bytes take up. */
    public Outcome place(Qp qp, long lengthBytes, SgList place) {
        if (capacityBytes(qp) < lengthBytes) {
            qp.context().count(Counter.RESP_LOCAL_LENGTH_ERROR);
            error.set(VendorError.RECEIVE_TOO_SMALL, 0, 0, 0, lengthBytes);
            completer.receiveFailed(qp, VerbsStatus.LOC_LEN_ERR, error);
            return Outcome.TOO_SMALL;
        }
        return scatter(qp, lengthBytes, place);
    }

    // Only the segments that the message fills are looked at.
    private Outcome scatter(Qp qp, long lengthBytes, SgList place) {
        ReceiveQueue receives = qp.receives();
        Srq srq = receives.shared();
        // The domain that posted the receive is charged, not the one that got the message.
        int pd = srq == null ? qp.pd() : srq.pd();
        place.clear();
        long left = lengthBytes;
        for (int i = 0; left > 0; i++) {
            long length = Math.min(left, receives.segmentLengthBytes(i));
            if (length == 0) {
                continue;
            }
            long address = receives.segmentAddress(i);
            Region region = tpt.local(pd, receives.segmentLkey(i), address, length, Access.LOCAL_WRITE.bit(), error);
            if (region == null) {
                completer.receiveFailed(qp, VerbsStatus.LOC_PROT_ERR, error);
                return Outcome.PROTECTION;
            }
            place.add(region, address, length);
            left -= length;
        }
        return Outcome.TAKEN;
    }
}
