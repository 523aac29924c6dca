package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What the devices of one attack have been given, so that its guest can give it all back and serve
 * the next attack. One thread at a time.
 */
public final class RawResources {
    private final ControlPath control;
    private final GuestRam ram;
    private final SequencedMap<Long, ObjectKind> objects = new LinkedHashMap<>();
    private final List<MemorySegment> buffers = new ArrayList<>();

    public RawResources(DriverDomain domain) {
        this.control = domain.control();
        this.ram = (GuestRam) domain.memory();
    }

    /** Asks, and notes what was given or taken. */
    synchronized ControlReply call(ControlRequest request) {
        ControlReply reply = control.call(request);
        switch (reply) {
            case ControlReply.ContextOpened made -> objects.put(made.context(), ObjectKind.CONTEXT);
            case ControlReply.PdAllocated made -> objects.put(made.pd(), ObjectKind.PD);
            case ControlReply.MemoryRegistered made -> objects.put(made.region(), ObjectKind.REGION);
            case ControlReply.WindowAllocated made -> objects.put(made.window(), ObjectKind.WINDOW);
            case ControlReply.RingRegistered made -> objects.put(made.ring(), ObjectKind.RING);
            case ControlReply.CqCreated made -> objects.put(made.cq(), ObjectKind.CQ);
            case ControlReply.QpCreated made -> objects.put(made.qp(), ObjectKind.QP);
            case ControlReply.SrqCreated made -> objects.put(made.srq(), ObjectKind.SRQ);
            case ControlReply.AhCreated made -> objects.put(made.ah(), ObjectKind.AH);
            case ControlReply.Done _
            when request instanceof ControlRequest.Destroy gone -> objects.remove(gone.handle());
            default -> {
                // Nothing that anybody has to give back.
            }
        }
        return reply;
    }

    /** A buffer of the domain's RAM that is freed in the end. */
    synchronized MemorySegment note(MemorySegment buffer) {
        buffers.add(buffer);
        return buffer;
    }

    /** Destroys all there is, the youngest first, and frees the memory if nobody uses it then. */
    public synchronized void giveBack() {
        for (Map.Entry<Long, ObjectKind> one : List.copyOf(objects.reversed().entrySet())) {
            ControlReply _ = call(new ControlRequest.Destroy(one.getValue(), one.getKey()));
        }
        if (objects.isEmpty()) {
            buffers.forEach(this::free);
        }
        buffers.clear();
    }

    private void free(MemorySegment buffer) {
        try {
            ram.free(buffer);
        } catch (VerbsException e) {
            throw new IllegalStateException("a region that was not made here", e);
        }
    }
}
