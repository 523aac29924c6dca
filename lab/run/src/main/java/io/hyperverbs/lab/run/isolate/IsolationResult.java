package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.launcher.failure.ExitCode;
import java.util.Collection;
import java.util.Locale;

/**
 * What came of one attack.
 *
 * @param observed in one line
 * @param trace what was counted of it, such as {@code rejected_verb +12}; empty if nothing was
 */
public record IsolationResult(IsolationCase attack, Verdict verdict, String observed, String trace) {
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
        FAILED,
        /** It went further than where the tier promises to stop it, and this one does not. */
        NOT_PROMISED;

        /** What several mean together: one breach is one, and what is not known is no pass. */
        public static Verdict worst(Collection<Verdict> all) {
            if (all.contains(BREACH)) {
                return BREACH;
            }
            if (all.contains(FAILED)) {
                return FAILED;
            }
            return all.contains(NOT_PROMISED) ? NOT_PROMISED : CONTAINED;
        }

        /** Its word in outputs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        public ExitCode exitCode() {
            return switch (this) {
                case CONTAINED, NOT_PROMISED -> ExitCode.OK;
                case FAILED -> ExitCode.CHECK_FAILED;
                case BREACH -> ExitCode.BREACH;
            };
        }
    }
}
