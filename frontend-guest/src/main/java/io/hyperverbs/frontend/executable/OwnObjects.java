package io.hyperverbs.frontend.executable;

import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.PrivilegedVerb;
import io.hyperverbs.vmm.io.VerbHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The objects of one executable, in the order in which they were made. One thread. */
final class OwnObjects {
    /** By handle, how each ends. */
    private final Map<Long, ControlRequest> ends = new LinkedHashMap<>();

    /** What takes queue pairs out of their multicast groups, which they cannot be destroyed in. */
    private final Set<ControlRequest.DetachMulticast> detaches = new LinkedHashSet<>();

    /** QPNs of queue pairs by their handle. */
    private final Map<Long, Integer> qpns = new HashMap<>();

    /** Whether a request names this executable's objects alone. */
    boolean owns(ControlRequest request) {
        return ends.keySet().containsAll(VerbHandles.named(request)) && ownsOffered(request);
    }

    /** A queue pair that calls again ends its former connection: so another's may not be offered. */
    private boolean ownsOffered(ControlRequest request) {
        if (!(request instanceof ControlRequest.Management management)) {
            return true;
        }
        return switch (management.request()) {
            case ManagementRequest.Connect call ->
                // A SIDR_REQ offers none.
                call.offer().type() == QpType.UD
                        || qpns.containsValue(call.offer().qpn());
            case ManagementRequest.Accept answer ->
                qpns.containsValue(answer.offer().qpn());
            default -> true;
        };
    }

    /** Takes note of what a verb made or destroyed. */
    void learn(ControlRequest request, ControlReply reply) {
        if (request instanceof ControlRequest.Destroy destroy && reply instanceof ControlReply.Done) {
            ends.remove(destroy.handle());
            qpns.remove(destroy.handle());
        } else if (request instanceof ControlRequest.AttachMulticast group && reply instanceof ControlReply.Done) {
            detaches.add(new ControlRequest.DetachMulticast(group.qp(), group.group(), group.lid()));
        } else if (request instanceof ControlRequest.DetachMulticast group && reply instanceof ControlReply.Done) {
            detaches.remove(group);
        } else if (request instanceof ControlRequest.Management management) {
            if (management.request() instanceof ManagementRequest.Release release
                    && reply instanceof ControlReply.Done) {
                ends.remove(release.handle());
            }
            VerbHandles.managed(reply)
                    .forEach(handle ->
                            ends.put(handle, new ControlRequest.Management(new ManagementRequest.Release(handle))));
        } else {
            VerbHandles.given(request, reply)
                    .ifPresent(handle -> ends.put(
                            handle,
                            new ControlRequest.Destroy(
                                    Objects.requireNonNull(
                                            PrivilegedVerb.of(request).gives()),
                                    handle)));
            if (reply instanceof ControlReply.QpCreated made) {
                qpns.put(made.qp(), made.qpn());
            }
        }
    }

    /** Requests that end all of them: the later first, so that children go before parents. */
    List<ControlRequest> ends() {
        List<ControlRequest> all = new ArrayList<>(detaches);
        all.addAll(new ArrayList<>(ends.values()).reversed());
        return all;
    }
}
