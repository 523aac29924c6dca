package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;

/**
 * Management requests of one context.
 *
 * @param handle of the context
 */
public record ManagementCalls(PrivilegedVerbs verbs, EventDispatcher events, VerbsNode context, long handle) {

    <R extends ManagementReply> R call(ManagementRequest request, Class<R> expected) throws VerbsException {
        ManagementReply reply = verbs.call(new ControlRequest.Management(request), ControlReply.Management.class)
                .reply();
        if (!expected.isInstance(reply)) {
            throw new VerbsException(
                    VerbsStatus.EIO, "backend answered " + reply.getClass().getSimpleName());
        }
        return expected.cast(reply);
    }

    void call(ManagementRequest request) throws VerbsException {
        verbs.call(new ControlRequest.Management(request), ControlReply.Done.class);
    }

    /** What the backend does not know is gone already. */
    void release(long released) throws VerbsException {
        try {
            call(new ManagementRequest.Release(released));
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
        }
    }
}
