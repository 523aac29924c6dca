package io.hyperverbs.toolstack.isolate.run;

import io.hyperverbs.toolstack.isolate.IsolationCase;

/**
 * What came of one attack.
 *
 * @param observed in one line
 * @param trace what was counted of it, such as {@code rejected_verb +12}; empty if nothing was
 */
public record IsolationResult(
        IsolationCase attack, Verdict verdict, String observed, String trace) {
    /** One without a trace. */
    public IsolationResult(IsolationCase attack, Verdict verdict, String observed) {
        this(attack, verdict, observed, "");
    }

    /** How it is judged. */
    public enum Verdict {
        /** As it must be. */
        CONTAINED,
        /** Something was seen that must not be. */
        BREACH,
        /** The attack could not be made: nothing is known. */
        FAILED
    }
}
