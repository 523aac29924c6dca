package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.event.CqEventState;
import io.hyperverbs.frontend.event.DriverChannel;
import io.hyperverbs.frontend.path.CompletionPort;
import io.hyperverbs.frontend.path.CreatedCq;
import io.hyperverbs.frontend.path.RingMemory;
import io.hyperverbs.frontend.path.SrqPort;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.DataVerb;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.VerbText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A completion queue. Polling and arming are for one thread at a time, the rest for any. */
final class DriverCq extends VerbsNode implements CompletionQueue {
    /** How long closing waits for events that the program took and has not acknowledged. */
    private static final Duration ACKNOWLEDGE_WITHIN = Duration.ofSeconds(10);

    private final DriverContext context;
    private final ControlReply.CqCreated created;
    private final CompletionRing ring;
    private final CompletionPort port;
    private final QpLookup queuePairs = new QpLookup();
    private final VerbTrace trace;
    private final @Nullable DriverChannel channel;
    private final @Nullable CqEventState events;
    private RingMemory memory;
    private volatile boolean open = true;
    private int consumed;

    private DriverCq(
            DriverContext context, ControlReply.CqCreated created, RingMemory memory, @Nullable DriverChannel channel) {
        this.context = context;
        this.created = created;
        this.memory = memory;
        this.channel = channel;
        this.trace = context.parts().trace();
        this.ring = new CompletionRing(memory.memory(), 0, created.entries());
        CqEventState ofThis = channel == null ? null : new CqEventState(this, channel);
        Runnable heldEvent = ofThis == null ? () -> {} : ofThis::announce;
        this.port =
                context.path().attach(new CreatedCq(created.cq(), created.slot(), memory.memory(), ring, heldEvent));
        if (ofThis != null) {
            ofThis.port(port);
        }
        this.events = ofThis;
    }

    static DriverCq create(DriverContext context, int asked, @Nullable DriverChannel channel) throws VerbsException {
        int entries = entries(asked);
        DriverParts parts = context.parts();
        try (Rollback undo = new Rollback()) {
            RingMemory memory = context.path().takeRing(CqHeaderLayout.totalBytes(entries));
            undo.add(memory::release);
            ControlReply.CqCreated created = parts.verbs()
                    .call(
                            new ControlRequest.CreateCq(context.handle(), entries, memory.handle(), channel != null),
                            ControlReply.CqCreated.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.CQ, created.cq()));
            if (created.entries() != entries) {
                throw new VerbsException(
                        VerbsStatus.EIO, "backend made " + created.entries() + " entries of " + entries);
            }
            DriverCq cq = new DriverCq(context, created, memory, channel);
            undo.add(cq.port::close);
            undo.add(cq::abandon);
            cq.dependOn(context);
            if (channel != null) {
                cq.dependOn(channel);
            }
            context.asyncEvents().admit(AsyncEvent.Subject.CQ, created.number());
            cq.listen();
            undo.keep();
            return cq;
        }
    }

    /** {@code queue} if it is one of {@code context}. */
    static DriverCq of(CompletionQueue queue, DriverContext context) throws VerbsException {
        if (!(queue instanceof DriverCq cq) || cq.context != context) {
            throw new VerbsException(VerbsStatus.EINVAL, "completion queue of another context");
        }
        cq.requireOpen();
        return cq;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int poll(WorkCompletion[] completions) {
        if (!open) {
            return context.pollClosed();
        }
        return trace.isOn() ? pollTraced(completions) : take(completions);
    }

    @Override
    public VerbsStatus arm(boolean solicitedOnly) {
        CqEventState armed = events;
        if (armed == null || !open) {
            return VerbsStatus.EINVAL;
        }
        if (context.parts().events().hasEnded()) {
            return VerbsStatus.EIO;
        }
        armed.arming();
        if (!trace.isOn()) {
            return port.arm(solicitedOnly, consumed);
        }
        long startNanos = System.nanoTime();
        VerbsStatus status = port.arm(solicitedOnly, consumed);
        trace.log(
                DataVerb.REQ_NOTIFY_CQ.verb() + "(cq=" + created.number() + ", solicited=" + solicitedOnly + ")",
                VerbText.result(status),
                System.nanoTime() - startNanos,
                context.pathWord());
        return status;
    }

    @Override
    public void resize(int asked) throws VerbsException {
        requireOpen();
        int entries = entries(asked);
        if (entries == ring.capacity()) {
            return;
        }
        RingMemory old = memory;
        try (Rollback undo = new Rollback()) {
            RingMemory other = context.path().takeRing(CqHeaderLayout.totalBytes(entries));
            undo.add(other::release);
            port.resize(
                    other,
                    entries,
                    consumerIndex -> context.parts()
                            .verbs()
                            .call(
                                    new ControlRequest.ResizeCq(created.cq(), entries, other.handle(), consumerIndex),
                                    ControlReply.Done.class));
            memory = other;
            undo.keep();
        }
        old.release();
    }

    @Override
    public void moderate(int count, int periodMicros) throws VerbsException {
        requireOpen();
        context.parts()
                .verbs()
                .call(new ControlRequest.ModerateCq(created.cq(), count, periodMicros), ControlReply.Done.class);
    }

    private static int entries(int asked) throws VerbsException {
        if (asked < 1 || asked > QueueGeometry.MAX_ENTRIES) {
            throw new VerbsException(VerbsStatus.EINVAL, asked + " entries, must be 1 to " + QueueGeometry.MAX_ENTRIES);
        }
        return QueueGeometry.powerOfTwo(asked);
    }

    @Override
    public String describe() {
        return "cq " + created.number();
    }

    @Override
    protected void destroy() throws VerbsException {
        if (channel != null && events != null) {
            channel.retire(events, ACKNOWLEDGE_WITHIN);
        }
        try {
            context.asyncEvents()
                    .end(
                            AsyncEvent.Subject.CQ,
                            created.number(),
                            () -> context.parts().verbs().destroy(ObjectKind.CQ, created.cq()));
        } catch (VerbsException e) {
            if (channel != null && events != null) {
                channel.reinstate(events);
            }
            throw e;
        }
        open = false;
        context.forget(created);
        port.close();
        memory.release();
    }

    long handle() {
        return created.cq();
    }

    CompletionPort port() {
        return port;
    }

    /** Completions of that queue pair free slots of {@code rings}. */
    void add(int qpn, QpRings rings) {
        queuePairs.add(qpn, rings);
    }

    void remove(int qpn) {
        queuePairs.remove(qpn);
    }

    /** Index of the next completion to poll. */
    int consumed() {
        return consumed;
    }

    /** Index after the last completion that is there. */
    int arrived() {
        return ring.arrived();
    }

    private void listen() {
        if (channel != null && events != null) {
            channel.register(events);
            context.listen(created, events);
        }
    }

    private int take(WorkCompletion[] completions) {
        if (!ring.hasNext()) {
            port.refill(completions.length);
        }
        int before = consumed;
        int filled = 0;
        while (filled < completions.length && ring.hasNext()) {
            if (account()) {
                ring.read(completions[filled++]);
            }
            ring.advance();
            consumed++;
        }
        if (consumed != before) {
            port.consumed(consumed);
        }
        return filled;
    }

    /** Frees what the next completion frees; false if it is of a queue pair's life before RESET. */
    private boolean account() {
        if (ring.isReceive() && ring.srqn() != 0) {
            SrqPort srq = context.sharedQueues().find(ring.srqn());
            if (srq != null) {
                srq.completed();
            }
        }
        QpRings rings = queuePairs.find(ring.qpn());
        if (rings == null) {
            return true;
        }
        return ring.isReceive() ? rings.received(consumed) : rings.sent(consumed, ring.sqHead());
    }

    private int pollTraced(WorkCompletion[] completions) {
        long startNanos = System.nanoTime();
        int filled = take(completions);
        long nanos = System.nanoTime() - startNanos;
        // Empty polls would bury everything else.
        if (filled > 0) {
            trace.log(
                    DataVerb.POLL_CQ.verb() + "(cq=" + created.number() + ", " + completions.length + ")",
                    Integer.toString(filled),
                    nanos,
                    context.pathWord());
        }
        return filled;
    }
}
