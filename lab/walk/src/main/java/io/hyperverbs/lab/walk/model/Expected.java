package io.hyperverbs.lab.walk.model;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A completion that must come. On error only wr_id, status and QPN count.
 *
 * @param receive whether it ends a receive
 * @param statuses one of these; more than one where the specification leaves the choice
 * @param ended the window's key that the message ended, or null
 * @param source of a datagram, or null
 * @param byteCount -1 where the specification gives it no meaning
 */
public record Expected(
        ModelQp qp,
        boolean receive,
        long wrId,
        Set<VerbsStatus> statuses,
        WorkCompletion.Opcode opcode,
        int byteCount,
        boolean hasImmediate,
        int immediate,
        @Nullable ModelWindowKey ended,
        @Nullable ModelQp source) {
    public Expected {
        statuses = Set.copyOf(statuses);
    }

    static Expected failure(ModelQp qp, boolean receive, long wrId, Set<VerbsStatus> statuses) {
        return new Expected(qp, receive, wrId, statuses, WorkCompletion.Opcode.SEND, -1, false, 0, null, null);
    }

    /** The completion queue it must come to. */
    public int cqSlot() {
        return (receive ? qp.receiveCq : qp.sendCq).slot;
    }

    boolean isSuccess() {
        return statuses.contains(VerbsStatus.SUCCESS);
    }

    /** Whether this is the completion; queue and QPN are judged by who knows the numbers. */
    public boolean matches(
            VerbsStatus status, WorkCompletion.Opcode foundOpcode, int foundBytes, @Nullable Integer foundImmediate) {
        if (!statuses.contains(status)) {
            return false;
        }
        if (!isSuccess()) {
            return true;
        }
        Integer wanted = hasImmediate ? immediate : null;
        return foundOpcode == opcode
                && (byteCount < 0 || foundBytes == byteCount)
                && Objects.equals(foundImmediate, wanted);
    }

    /** In words. */
    public String text() {
        return "wr_id="
                + wrId
                + " "
                + statuses
                + (isSuccess()
                        ? " "
                                + opcode
                                + (byteCount < 0 ? "" : " bytes=" + byteCount)
                                + (hasImmediate ? " imm=" + immediate : "")
                        : "");
    }
}
