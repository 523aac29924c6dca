package io.hyperverbs.frontend.executable;

import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.PrivilegedVerb;
import io.hyperverbs.vmm.io.VerbHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The objects of one executable, in the order in which they were made. One thread. */
final class OwnObjects {
    private final Map<Long, ObjectKind> kinds = new LinkedHashMap<>();

    /** Whether a request names this executable's objects alone. */
    boolean owns(ControlRequest request) {
        return kinds.keySet().containsAll(VerbHandles.named(request));
    }

    /** Takes note of what a verb made or destroyed. */
    void learn(ControlRequest request, ControlReply reply) {
        if (request instanceof ControlRequest.Destroy destroy && reply instanceof ControlReply.Done) {
            kinds.remove(destroy.handle());
            return;
        }
        VerbHandles.given(request, reply)
                .ifPresent(handle -> kinds.put(
                        handle,
                        Objects.requireNonNull(PrivilegedVerb.of(request).gives())));
    }

    /** Requests that destroy all of them: the later first, so that children go before parents. */
    List<ControlRequest.Destroy> ends() {
        List<ControlRequest.Destroy> ends = new ArrayList<>();
        kinds.forEach((handle, kind) -> ends.addFirst(new ControlRequest.Destroy(kind, handle)));
        return ends;
    }
}
