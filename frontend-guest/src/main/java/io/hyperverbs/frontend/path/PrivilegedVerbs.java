package io.hyperverbs.frontend.path;

import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ObjectNames;
import io.hyperverbs.vmm.io.VerbText;

/** The privileged verbs of one domain over its {@link ControlPath}. Any thread. */
public final class PrivilegedVerbs {
    private final ControlPath path;
    private final VerbTrace trace;
    private final ObjectNames names = new ObjectNames();

    public PrivilegedVerbs(ControlPath path, VerbTrace trace) {
        this.path = path;
        this.trace = trace;
    }

    /**
     * Carries out one verb.
     *
     * @param expected the kind of reply that means success
     * @throws VerbsException what the backend answered; EIO for an answer that does not fit
     */
    public <R extends ControlReply> R call(ControlRequest request, Class<R> expected) throws VerbsException {
        ControlReply reply = reply(request);
        if (reply instanceof ControlReply.Refused refused) {
            throw new VerbsException(refused.status(), refused.message());
        }
        if (!expected.isInstance(reply)) {
            throw new VerbsException(
                    VerbsStatus.EIO,
                    "backend answered "
                            + reply.getClass().getSimpleName()
                            + " to "
                            + request.getClass().getSimpleName());
        }
        return expected.cast(reply);
    }

    /** Carries out one verb, and gives its reply as it is. */
    public ControlReply reply(ControlRequest request) {
        ControlReply reply = trace.isOn() ? callTraced(request) : path.call(request);
        names.learn(request, reply);
        return reply;
    }

    /**
     * Lets time pass before a verb is asked again.
     *
     * @throws VerbsException EINTR if the thread is interrupted
     */
    public void pause(long nanos) throws VerbsException {
        path.pause(nanos);
        if (Thread.currentThread().isInterrupted()) {
            throw new VerbsException(VerbsStatus.EINTR, "interrupted while it waits");
        }
    }

    /** Destroys an object. One that the backend does not know is gone already. */
    public void destroy(ObjectKind kind, long handle) throws VerbsException {
        try {
            call(new ControlRequest.Destroy(kind, handle), ControlReply.Done.class);
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
        }
    }

    private ControlReply callTraced(ControlRequest request) {
        long startNanos = System.nanoTime();
        ControlReply reply = path.call(request);
        long nanos = System.nanoTime() - startNanos;
        String call = VerbText.call(request, names);
        // The line is to name what was made as later lines do.
        names.learn(request, reply);
        trace.log(call, VerbText.result(reply, names), nanos, trace.controlWord());
        return reply;
    }
}
