package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;

/**
 * Management requests of one context.
 *
 * @param handle of the context
 * @param pkeys its P_Keys
 */
public record ManagementCalls(
        PrivilegedVerbs verbs, EventDispatcher events, VerbsNode context, long handle, PkeyIndexes pkeys) {
    private static final long NANOS_PER_MICRO = 1000;
    private static final long MOST_DOUBLINGS = 6;
    private static final long LONGEST_WAIT_NANOS = 50_000_000;

    <R extends ManagementReply> R call(ManagementRequest request, Class<R> expected) throws VerbsException {
        ManagementReply reply = verbs.call(new ControlRequest.Management(request), ControlReply.Management.class)
                .reply();
        if (!expected.isInstance(reply)) {
            throw unexpected(reply);
        }
        return expected.cast(reply);
    }

    private static VerbsException unexpected(ManagementReply reply) {
        return new VerbsException(
                VerbsStatus.EIO, "backend answered " + reply.getClass().getSimpleName());
    }

    void call(ManagementRequest request) throws VerbsException {
        verbs.call(new ControlRequest.Management(request), ControlReply.Done.class);
    }

    /**
     * The path to a peer; waits where other HCAs have to be asked for it.
     *
     * @throws VerbsException ENOENT if nobody is there; EINVAL for what names none or many; EAGAIN if too many are asked
     *     for; EINTR
     */
    PathRecord path(Destination to) throws VerbsException {
        ManagementRequest.QueryPath query = new ManagementRequest.QueryPath(handle, to);
        for (long asked = 0; ; asked++) {
            ManagementReply reply = call(query, ManagementReply.class);
            switch (reply) {
                case ManagementReply.Path found -> {
                    return found.path();
                }
                case ManagementReply.Pending pending ->
                    verbs.pause(Math.min(
                            (pending.waitMicros() * NANOS_PER_MICRO) << Math.min(asked, MOST_DOUBLINGS),
                            LONGEST_WAIT_NANOS));
                default -> throw unexpected(reply);
            }
        }
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
