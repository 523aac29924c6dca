package io.hyperverbs.hca;

import io.hyperverbs.verbs.VerbsStatus;
import java.math.BigInteger;

/**
 * What a request against a key must come to, out of the specification alone: it shares no check,
 * mask or comparison with the HCA, and its ranges are integers without an end.
 */
final class AccessOracle {
    /** What is asked of the responder, with the bit of the right it needs; 0: none. */
    enum Act {
        SEND(0),
        SEND_WITH_IMM(0),
        WRITE(2),
        WRITE_WITH_IMM(2),
        READ(4),
        COMPARE_AND_SWAP(8),
        FETCH_AND_ADD(8);

        private final int right;

        Act(int right) {
            this.right = right;
        }

        boolean isSend() {
            return this == SEND || this == SEND_WITH_IMM;
        }

        boolean isAtomic() {
            return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
        }

        boolean takesReceive() {
            return isSend() || this == WRITE_WITH_IMM;
        }

        boolean readsRemote() {
            return this == READ || isAtomic();
        }
    }

    /** Whose key it is. */
    enum Target {
        REGION,
        WINDOW_ONE,
        WINDOW_TWO,
        WINDOW_TWO_OF_OTHER_QP
    }

    /**
     * One combination. Rights are bits: 1 local write, 2 remote write, 4 remote read, 8 remote
     * atomic.
     *
     * @param base lowest address that the key names, unsigned; {@code size} bytes from there
     * @param address of the request's first byte, unsigned
     */
    record Attempt(
            Act act,
            Target target,
            int qpRights,
            int keyRights,
            boolean samePd,
            long base,
            long size,
            long address,
            long length) {}

    /**
     * What both sides see.
     *
     * @param receive status of the receive that was posted; null if it stays posted
     * @param event raised for the responder's queue pair, or empty
     */
    record Verdict(VerbsStatus requester, VerbsStatus receive, String event) {
        boolean isSuccess() {
            return requester == VerbsStatus.SUCCESS;
        }
    }

    private AccessOracle() {}

    static Verdict verdict(Attempt attempt) {
        return attempt.act.isSend() ? ofSend(attempt) : ofRemote(attempt);
    }

    // The receive names the key as its local key; windows have none.
    private static Verdict ofSend(Attempt a) {
        boolean lands = a.length == 0 || (a.target == Target.REGION && a.samePd && isInside(a) && a.keyRights % 2 == 1);
        return lands
                ? new Verdict(VerbsStatus.SUCCESS, VerbsStatus.SUCCESS, "")
                : new Verdict(VerbsStatus.REM_OP_ERR, VerbsStatus.LOC_PROT_ERR, "");
    }

    private static Verdict ofRemote(Attempt a) {
        if (!has(a.qpRights, a.act.right)) {
            return new Verdict(VerbsStatus.REM_INV_REQ_ERR, VerbsStatus.WR_FLUSH_ERR, "QP_REQ_ERR");
        }
        boolean reaches = a.length == 0
                || (a.samePd
                        && a.target != Target.WINDOW_TWO_OF_OTHER_QP
                        && has(a.keyRights, a.act.right)
                        && isInside(a));
        if (!reaches) {
            VerbsStatus receive = a.act == Act.WRITE_WITH_IMM ? VerbsStatus.LOC_ACCESS_ERR : VerbsStatus.WR_FLUSH_ERR;
            return new Verdict(VerbsStatus.REM_ACCESS_ERR, receive, "QP_ACCESS_ERR");
        }
        VerbsStatus receive = a.act == Act.WRITE_WITH_IMM ? VerbsStatus.SUCCESS : null;
        return new Verdict(VerbsStatus.SUCCESS, receive, "");
    }

    private static boolean has(int rights, int right) {
        return rights / right % 2 == 1;
    }

    private static boolean isInside(Attempt a) {
        BigInteger first = unsigned(a.address);
        BigInteger end = first.add(unsigned(a.length));
        BigInteger lowest = unsigned(a.base);
        return first.compareTo(lowest) >= 0 && end.compareTo(lowest.add(unsigned(a.size))) <= 0;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }
}
