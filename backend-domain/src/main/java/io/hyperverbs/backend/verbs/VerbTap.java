package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

/** Sees privileged verbs as they are carried out. Any thread; what it does takes time of the verb. Throws nothing. */
public interface VerbTap {
    /** A verb begins; its objects are still there. Under the session's lock. */
    Call begin(Session session, ControlRequest request);

    /** One verb that has begun. */
    interface Call {
        /** It is done, or refused, and not answered yet. */
        void end(ControlReply reply);
    }
}
