package io.hyperverbs.lab.conformance.access;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule table of access (IBA 9.7.4.1, 10.6.3, 10.6.7.2). It shares no check or comparison with the HCA, and its
 * ranges are integers without an end. Rights are masks, as {@link Access#mask} makes them. Callable from any thread.
 */
public final class AccessOracle {
    private static final int WRITES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    /**
     * What a key covers for one requester.
     *
     * @param isTheirs whether the key is there, in the PD, and of a window that the queue pair may use
     * @param rights of the region or window
     * @param base lowest address that the key names, unsigned
     * @param size bytes from there, unsigned
     */
    public record Key(boolean isTheirs, int rights, long base, long size) {
        /** Whether so many bytes (unsigned) are covered with all those rights; no bytes need no key (IBA C9-88). */
        public boolean opens(int needed, long address, long length) {
            return length == 0 || (isTheirs && (rights & needed) == needed && covers(address, length));
        }

        private boolean covers(long address, long length) {
            BigInteger first = unsigned(address);
            BigInteger lowest = unsigned(base);
            return first.compareTo(lowest) >= 0
                    && first.add(unsigned(length)).compareTo(lowest.add(unsigned(size))) <= 0;
        }

        private static BigInteger unsigned(long value) {
            return new BigInteger(Long.toUnsignedString(value));
        }
    }

    /**
     * A request that reached the responder.
     *
     * @param right it needs of queue pair and key; 0 for a send, whose receive names the key
     * @param takesReceive whether it completes a receive of the responder
     * @param qpRights of the responder's queue pair
     * @param isOpen what {@link Key#opens} says, for a send with LOCAL_WRITE
     */
    public record Attempt(int right, boolean takesReceive, int qpRights, boolean isOpen) {
        private boolean isSend() {
            return right == 0;
        }
    }

    /**
     * What both sides see.
     *
     * @param requester status of the request
     * @param receive status of the receive posted at the responder; null if it stays posted
     * @param event asynchronous event at the responder, or null
     */
    public record Verdict(VerbsStatus requester, @Nullable VerbsStatus receive, AsyncEvent.@Nullable Type event) {
        public boolean isSuccess() {
            return requester == VerbsStatus.SUCCESS;
        }
    }

    private record Rule(String text, Predicate<Attempt> applies, Verdict verdict) {}

    /** The first that applies decides. */
    private static final List<Rule> RULES = List.of(
            new Rule(
                    "a send lands where its receive may be written",
                    a -> a.isSend() && !a.isOpen,
                    new Verdict(VerbsStatus.REM_OP_ERR, VerbsStatus.LOC_PROT_ERR, null)),
            new Rule(
                    "a send needs nothing else",
                    Attempt::isSend,
                    new Verdict(VerbsStatus.SUCCESS, VerbsStatus.SUCCESS, null)),
            new Rule(
                    "the queue pair enables the operation",
                    a -> (a.qpRights & a.right) == 0,
                    new Verdict(VerbsStatus.REM_INV_REQ_ERR, VerbsStatus.WR_FLUSH_ERR, AsyncEvent.Type.QP_REQ_ERR)),
            new Rule(
                    "key, right and range are good for a write with immediate, or its receive is spent",
                    a -> a.takesReceive && !a.isOpen,
                    new Verdict(VerbsStatus.REM_ACCESS_ERR, VerbsStatus.LOC_ACCESS_ERR, AsyncEvent.Type.QP_ACCESS_ERR)),
            new Rule(
                    "key, right and range are good",
                    a -> !a.isOpen,
                    new Verdict(VerbsStatus.REM_ACCESS_ERR, VerbsStatus.WR_FLUSH_ERR, AsyncEvent.Type.QP_ACCESS_ERR)),
            new Rule(
                    "a write with immediate completes a receive",
                    Attempt::takesReceive,
                    new Verdict(VerbsStatus.SUCCESS, VerbsStatus.SUCCESS, null)),
            new Rule("nothing is wrong", _ -> true, new Verdict(VerbsStatus.SUCCESS, null, null)));

    private AccessOracle() {}

    /** What must come of {@code attempt}. */
    public static Verdict verdict(Attempt attempt) {
        return RULES.stream()
                .filter(rule -> rule.applies.test(attempt))
                .findFirst()
                .orElseThrow()
                .verdict;
    }

    /** Whether a region may have these rights: what peers may change, its domain may change ({@code ibv_reg_mr}). */
    public static boolean mayRegister(int rights) {
        return (rights & WRITES) == 0 || (rights & Access.LOCAL_WRITE.bit()) != 0;
    }

    /** The rights that a region needs so that a window with {@code rights} may be bound to it (IBA 10.6.7.2). */
    public static int neededToBind(int rights) {
        return Access.MW_BIND.bit() | ((rights & WRITES) == 0 ? 0 : Access.LOCAL_WRITE.bit());
    }
}
