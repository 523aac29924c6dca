package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Objects;

/** Comparisons that say what was found and what the rule demands. Callable from any thread. */
public final class Expect {
    /** A control verb that may refuse. */
    @FunctionalInterface
    public interface Verb {
        void call() throws VerbsException;
    }

    private Expect() {}

    public static void equal(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + " is " + actual + ", must be " + expected);
        }
    }

    public static void isTrue(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /** The verb must be refused with {@code expected}; returns the refusal. */
    public static VerbsException refused(VerbsStatus expected, String what, Verb verb) {
        try {
            verb.call();
        } catch (VerbsException refusal) {
            equal(expected, refusal.status(), "refusal of " + what + " (" + text(refusal) + ")");
            return refusal;
        }
        throw new AssertionError(what + " succeeded, must be refused with " + expected);
    }

    /** Closing {@code object} must be refused with EBUSY, and the refusal must name all of {@code users}. */
    public static void inUse(VerbsObject object, VerbsObject... users) {
        VerbsException refusal = refused(VerbsStatus.EBUSY, "closing " + object.describe(), object::close);
        for (VerbsObject user : users) {
            isTrue(
                    text(refusal).contains(user.describe()),
                    "\"" + text(refusal) + "\" does not name " + user.describe());
        }
    }

    /** The message of an exception, never null. */
    public static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
