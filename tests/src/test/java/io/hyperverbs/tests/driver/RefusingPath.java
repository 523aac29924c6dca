package io.hyperverbs.tests.driver;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.PrivilegedVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Remembers a driver's requests, refuses those that a test names, and passes the others on. One thread. */
final class RefusingPath implements ControlPath {
    final List<ControlRequest> requests = new ArrayList<>();
    private final ControlPath next;
    private Predicate<ControlRequest> refused = _ -> false;
    private VerbsStatus refusal = VerbsStatus.EAGAIN;

    /** Objects that were created and not destroyed. */
    int live;

    boolean closed;

    RefusingPath(ControlPath next) {
        this.next = next;
    }

    /** From now on requests that match are refused, and no others. */
    void refuse(VerbsStatus status, Predicate<ControlRequest> which) {
        refused = which;
        refusal = status;
    }

    @Override
    public ControlReply call(ControlRequest request) {
        requests.add(request);
        if (refused.test(request)) {
            return new ControlReply.Refused(refusal, "refused by the test");
        }
        ControlReply reply = next.call(request);
        if (!(reply instanceof ControlReply.Refused)) {
            PrivilegedVerb verb = PrivilegedVerb.of(request);
            live += verb.gives() != null ? 1 : verb.isEnd() ? -1 : 0;
        }
        return reply;
    }

    @Override
    public void subscribe(EventSink sink) {
        next.subscribe(sink);
    }

    @Override
    public void close() {
        closed = true;
        next.close();
    }
}
