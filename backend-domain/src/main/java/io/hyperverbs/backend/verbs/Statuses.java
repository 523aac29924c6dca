package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.VerbsStatus;

import org.jspecify.annotations.Nullable;

/** The answers that several verbs share (verbs-semantics, control verbs). */
final class Statuses {
    private Statuses() {}

    /** An object named as a parameter; another domain's is unknown like one that never was. */
    static <T> T parameter(@Nullable T object, String what) throws Refusal {
        if (object == null) {
            throw new Refusal(VerbsStatus.EINVAL, "no such " + what);
        }
        return object;
    }

    static Refusal invalid(String message) {
        return new Refusal(VerbsStatus.EINVAL, message);
    }

    /** Turns the HCA's answer into a refusal unless it is success. */
    static void expectSuccess(VerbsStatus status, String what) throws Refusal {
        if (status != VerbsStatus.SUCCESS) {
            throw new Refusal(status, what + ": " + status.text());
        }
    }
}
