package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.forwarded.ForwardedCq;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.CreateCq;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Second stage of creating a completion queue (Liu 2006 §4.3). */
final class CompletionQueueVerbs {
    private final DeviceServices services;
    private final QueueMemories memories;

    CompletionQueueVerbs(DeviceServices services) {
        this.services = services;
        this.memories = new QueueMemories(services);
    }

    Verb create(Session session, CreateCq request) throws Refusal {
        ContextObject context = Statuses.parameter(session.contexts().get(request.context()), "context");
        int maxCqe = services.limits().maxCqe();
        if (request.entries() < 1 || request.entries() > maxCqe) {
            throw Statuses.invalid("entries " + request.entries() + ", must be 1 to " + maxCqe);
        }
        int entries = QueueGeometry.powerOfTwo(request.entries());
        session.quota().check(QuotaKind.CQ, 1);
        session.quota().check(QuotaKind.CQE, entries);
        long neededBytes = CqHeaderLayout.totalBytes(entries);
        RingObject ring = memories.check(session, context, request.ring(), neededBytes);
        return undo -> create(session, context, entries, request.events(), ring, undo);
    }

    private ControlReply create(
            Session session, ContextObject context, int entries, boolean events, @Nullable RingObject ring, Undo undo)
            throws Refusal {
        session.quota().take(QuotaKind.CQ, 1);
        undo.push(() -> session.quota().giveBack(QuotaKind.CQ, 1));
        session.quota().take(QuotaKind.CQE, entries);
        undo.push(() -> session.quota().giveBack(QuotaKind.CQE, entries));
        QueueMemory memory = memories.take(session, ring, CqHeaderLayout.totalBytes(entries), undo);
        Slotted made = services.hca().createCq(context.uar(), memory.machineAddress(), entries);
        Statuses.expectSuccess(made.status(), "CQ");
        undo.push(() -> services.hca().destroyCq(made.number()));

        ForwardedCq forwarded = forwarded(session, context, made.slot(), entries, memory);
        CqObject cq = new CqObject(context, made.number(), entries, events, memory, forwarded);
        context.reference();
        undo.push(context::dereference);
        long handle = session.cqs().add(cq);
        cq.handle(handle);
        undo.push(() -> session.cqs().remove(handle));
        context.addCq(cq);
        undo.push(() -> context.removeCq(cq));
        start(context, forwarded, handle, undo);
        return new ControlReply.CqCreated(handle, made.number(), made.slot(), entries);
    }

    private @Nullable ForwardedCq forwarded(
            Session session, ContextObject context, int slot, int entries, QueueMemory memory) {
        ForwardedContext path = context.forwarded();
        if (path == null) {
            return null;
        }
        return new ForwardedCq(
                services.machine().machineMemory(),
                memory.machineAddress(),
                entries,
                path.doorbell(),
                slot,
                session.events()::completion);
    }

    private static void start(ContextObject context, @Nullable ForwardedCq forwarded, long handle, Undo undo) {
        if (forwarded != null) {
            ForwardedContext path = Objects.requireNonNull(context.forwarded());
            forwarded.handle(handle);
            path.add(forwarded);
            undo.push(() -> path.remove(forwarded));
            undo.push(forwarded::close);
        }
    }
}
