package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The requester's checks of a work request, on its private copy: first its form, then its local
 * keys. {@code fault} says what failed.
 */
public final class RequestCheck {
    /** Half of the PSNs, less one: a PSN further on than that looks like an earlier one. */
    private static final long MOST_PACKETS = (1L << 23) - 1;

    private final Tpt tpt;
    private final long maxMessageBytes;

    public RequestCheck(Tpt tpt, long maxMessageBytes) {
        this.tpt = tpt;
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Judges the request's form and works out its length. */
    public VerbsStatus form(Qp qp, CompletionError error) {
        SendQueue sends = qp.sends();
        int opcode = sends.opcode();
        if (qp.requesterTransport() < 0) {
            error.set(VendorError.UNKNOWN_OPCODE);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        if (opcode > SendWqeLayout.OPCODE_SEND_WITH_INV || sends.hasUnknownFlags()) {
            error.set(VendorError.UNKNOWN_OPCODE);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        if (WindowWork.isWindowWork(opcode)) {
            return WindowWork.form(sends, error);
        }
        boolean reads = opcode >= SendWqeLayout.OPCODE_RDMA_READ && opcode <= SendWqeLayout.OPCODE_FETCH_AND_ADD;
        if (reads && qp.maxReadAtomic() == 0) {
            error.set(VendorError.READ_DEPTH);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        return sends.hasFlag(SendFlags.INLINE)
                ? inlineForm(sends, qp.plan().limits(), reads, error)
                : segmentForm(sends, qp.plan().limits(), opcode, longest(qp), error);
    }

    /** Bytes of the longest message: on a wire its packets must be told apart by their PSNs. */
    private long longest(Qp qp) {
        int mtu = qp.pathMtuBytes();
        return qp.route().isRemote() && mtu > 0 ? Math.min(maxMessageBytes, MOST_PACKETS * mtu) : maxMessageBytes;
    }

    private static VerbsStatus inlineForm(SendQueue sends, QpLimits limits, boolean reads, CompletionError error) {
        if (reads) {
            error.set(VendorError.INLINE_NOT_ALLOWED);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        int length = SendWqeLayout.inlineBytes(sends.copies(), sends.copy());
        if (length < 0 || length > limits.inlineBytes()) {
            error.set(VendorError.INLINE_TOO_LONG, 0, 0, 0, length & 0xffff_ffffL);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        sends.lengthBytes(length);
        return VerbsStatus.SUCCESS;
    }

    private static VerbsStatus segmentForm(
            SendQueue sends, QpLimits limits, int opcode, long longest, CompletionError error) {
        int segments = SendWqeLayout.segmentCount(sends.copies(), sends.copy());
        if (segments > limits.sendSge()) {
            error.set(VendorError.TOO_MANY_SEGMENTS, 0, 0, 0, segments);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        long length = 0;
        for (int i = 0; i < segments; i++) {
            length += segmentLength(sends, i);
        }
        boolean atomic =
                opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
        if (atomic && (segments != 1 || length != Long.BYTES)) {
            error.set(VendorError.ATOMIC_LENGTH, 0, 0, 0, length);
            return VerbsStatus.LOC_LEN_ERR;
        }
        if (length > longest) {
            error.set(VendorError.MESSAGE_TOO_LONG, 0, 0, 0, length);
            return VerbsStatus.LOC_LEN_ERR;
        }
        sends.lengthBytes(length);
        return VerbsStatus.SUCCESS;
    }

    /**
     * Fills {@code list} with the request's local memory.
     *
     * @param rights needed of each segment: LOCAL_WRITE to place what is read, none to send
     * @return false with the fault, if a key, range or right is wrong
     */
    public boolean local(Qp qp, int rights, SgList list, CompletionError error) {
        SendQueue sends = qp.sends();
        if (sends.hasFlag(SendFlags.INLINE)) {
            list.setPrivate(sends.copies(), sends.copy() + SendWqeLayout.SGES_OFFSET, sends.lengthBytes());
            return true;
        }
        list.clear();
        int segments = SendWqeLayout.segmentCount(sends.copies(), sends.copy());
        for (int i = 0; i < segments; i++) {
            long length = segmentLength(sends, i);
            if (length == 0) {
                continue;
            }
            long address = SendWqeLayout.segmentAddress(sends.copies(), sends.copy(), i);
            int lkey = SendWqeLayout.segmentLkey(sends.copies(), sends.copy(), i);
            Region region = tpt.local(qp.pd(), lkey, address, length, rights, error);
            if (region == null) {
                return false;
            }
            list.add(region, address, length);
        }
        return true;
    }

    /** A key that was good for the first chunk and is gone now was deregistered in between. */
    public static void nameRevoked(Qp qp, CompletionError error) {
        if (qp.sends().doneBytes() > 0 && error.vendorError() == VendorError.KEY_NOT_IN_PD.code()) {
            error.rename(VendorError.REVOKED);
        }
    }

    private static long segmentLength(SendQueue sends, int segment) {
        return SendWqeLayout.segmentLengthBytes(sends.copies(), sends.copy(), segment) & 0xffff_ffffL;
    }
}
