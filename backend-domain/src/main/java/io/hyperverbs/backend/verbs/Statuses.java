package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
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

    /** The protection domain of that handle; an XRC domain is none. */
    static PdObject pd(Session session, long handle) throws Refusal {
        PdObject found = session.pds().get(handle);
        return parameter(found == null || found.isXrcd() ? null : found, "PD");
    }

    /** The XRC domain of that handle. */
    static PdObject xrcd(Session session, long handle) throws Refusal {
        PdObject found = session.pds().get(handle);
        return parameter(found == null || !found.isXrcd() ? null : found, "XRC domain");
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
