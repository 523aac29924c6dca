package io.hyperverbs.frontend.trace;

import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers by which people know the objects behind handles: a queue pair's is the one on the
 * wire. Learned from answers, so that the verb log has one spelling for control and data verbs,
 * also for what was made before it was turned on. Any thread.
 */
public final class HandleNames {
    private final Map<Long, String> names = new ConcurrentHashMap<>();

    /** Takes note of what a verb made or destroyed. */
    public void learn(ControlRequest request, ControlReply reply) {
        switch (reply) {
            case ControlReply.QpCreated r -> names.put(r.qp(), AttributeText.number24(r.qpn()));
            case ControlReply.SrqCreated r -> names.put(r.srq(), AttributeText.number24(r.srqn()));
            case ControlReply.AhCreated r -> names.put(r.ah(), AttributeText.number24(r.number()));
            case ControlReply.CqCreated r -> names.put(r.cq(), Integer.toString(r.number()));
            case ControlReply.PdAllocated r -> names.put(r.pd(), Integer.toString(r.number()));
            case ControlReply.Done _
            when request instanceof ControlRequest.Destroy destroy -> names.remove(destroy.handle());
            default -> {
                // Others are known by their handle.
            }
        }
    }

    /** The number of that object; of one that has none but its handle, its slot. */
    public String of(long handle) {
        String name = names.get(handle);
        return name == null ? Integer.toString(TraceText.number(handle)) : name;
    }
}
