package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule table of access: for an operation that meets these rights, this protection domain and
 * this range, what both sides must see. The first rule that an attempt breaks decides.
 */
final class AccessRules {
    /**
     * One combination.
     *
     * @param qpRights {@link Access#mask} of the responder's queue pair
     * @param keyRights {@link Access#mask} of the region or window that the operation names
     * @param samePd whether the key is one of the responder's PD
     * @param inside whether the range lies in what the key covers
     */
    record Attempt(Operation operation, int qpRights, int keyRights, boolean samePd, boolean inside) {
        boolean isSend() {
            return operation.right().isEmpty();
        }

        /** Whether the mask has the right that the operation needs of the responder. */
        private boolean has(int mask) {
            return (mask & operation.right().map(Access::bit).orElse(0)) != 0;
        }
    }

    /**
     * What an attempt comes to.
     *
     * @param requester status of the send
     * @param receive status of the receive posted at the responder; null if it stays posted
     * @param event asynchronous event at the responder, or null
     */
    record Verdict(VerbsStatus requester, @Nullable VerbsStatus receive, AsyncEvent.@Nullable Type event) {
        boolean isSuccess() {
            return requester == VerbsStatus.SUCCESS;
        }
    }

    private record Rule(String text, Predicate<Attempt> broken, Verdict verdict) {}

    private static final VerbsStatus FLUSHED = VerbsStatus.WR_FLUSH_ERR;
    private static final Verdict NOT_ENABLED =
            new Verdict(VerbsStatus.REM_INV_REQ_ERR, FLUSHED, AsyncEvent.Type.QP_REQ_ERR);
    private static final Verdict BAD_RECEIVE = new Verdict(VerbsStatus.REM_OP_ERR, VerbsStatus.LOC_PROT_ERR, null);
    private static final Verdict BAD_KEY =
            new Verdict(VerbsStatus.REM_ACCESS_ERR, FLUSHED, AsyncEvent.Type.QP_ACCESS_ERR);
    private static final Verdict BAD_KEY_SPENDS_RECEIVE =
            new Verdict(VerbsStatus.REM_ACCESS_ERR, VerbsStatus.LOC_ACCESS_ERR, AsyncEvent.Type.QP_ACCESS_ERR);
    private static final Verdict RECEIVED = new Verdict(VerbsStatus.SUCCESS, VerbsStatus.SUCCESS, null);
    private static final Verdict DONE = new Verdict(VerbsStatus.SUCCESS, null, null);

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "a send lands where its receive may be written",
                    a -> a.isSend() && (!a.samePd || !a.inside || (a.keyRights & Access.LOCAL_WRITE.bit()) == 0),
                    BAD_RECEIVE),
            new Rule("a send needs nothing else", Attempt::isSend, RECEIVED),
            new Rule("the queue pair enables the operation", a -> !a.has(a.qpRights), NOT_ENABLED),
            new Rule(
                    "key, right and range are good for a write with immediate",
                    a -> a.operation.consumesReceive() && !reaches(a),
                    BAD_KEY_SPENDS_RECEIVE),
            new Rule("key, right and range are good", a -> !reaches(a), BAD_KEY),
            new Rule("a write with immediate spends a receive", a -> a.operation.consumesReceive(), RECEIVED),
            new Rule("nothing is wrong", _ -> true, DONE));

    private AccessRules() {}

    static Verdict verdict(Attempt attempt) {
        for (Rule rule : RULES) {
            if (rule.broken.test(attempt)) {
                return rule.verdict;
            }
        }
        throw new IllegalStateException("the last rule is for all");
    }

    private static boolean reaches(Attempt attempt) {
        return attempt.samePd && attempt.inside && attempt.has(attempt.keyRights);
    }
}
