package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedCq;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.ModerateCq;
import io.hyperverbs.vmm.io.ControlRequest.ResizeCq;
import org.jspecify.annotations.Nullable;

/** Resizing and moderating completion queues. */
final class CompletionQueueChanges {
    private final DeviceServices services;
    private final QueueMemories memories;

    CompletionQueueChanges(DeviceServices services) {
        this.services = services;
        this.memories = new QueueMemories(services);
    }

    Verb resize(Session session, ResizeCq request) throws Refusal {
        CqObject cq = Statuses.parameter(session.cqs().get(request.cq()), "CQ");
        int maxCqe = services.limits().maxCqe();
        if (request.entries() < 1 || request.entries() > maxCqe) {
            throw Statuses.invalid("entries " + request.entries() + ", must be 1 to " + maxCqe);
        }
        int entries = QueueGeometry.powerOfTwo(request.entries());
        session.quota().check(QuotaKind.CQE, Math.max(0, entries - cq.entries()));
        RingObject ring = memories.check(session, cq.context(), request.ring(), CqHeaderLayout.totalBytes(entries));
        return undo -> resize(session, cq, entries, ring, request.consumerIndex(), undo);
    }

    private ControlReply resize(
            Session session, CqObject cq, int entries, @Nullable RingObject ring, int consumerIndex, Undo undo)
            throws Refusal {
        int more = Math.max(0, entries - cq.entries());
        session.quota().take(QuotaKind.CQE, more);
        undo.push(() -> session.quota().giveBack(QuotaKind.CQE, more));
        QueueMemory memory = memories.take(session, ring, CqHeaderLayout.totalBytes(entries), undo);
        long address = memory.machineAddress();
        ForwardedCq forwarded = cq.forwarded();
        VerbsStatus status = forwarded == null
                ? services.hca().resizeCq(cq.number(), address, entries)
                : forwarded.resize(
                        address, entries, consumerIndex, () -> services.hca().resizeCq(cq.number(), address, entries));
        Statuses.expectSuccess(status, entries + " entries");
        undo.settle();
        session.quota().giveBack(QuotaKind.CQE, Math.max(0, cq.entries() - entries));
        memories.release(session, cq.memory());
        cq.resized(entries, memory);
        return new ControlReply.Done();
    }

    Verb moderate(Session session, ModerateCq request) throws Refusal {
        CqObject cq = Statuses.parameter(session.cqs().get(request.cq()), "CQ");
        int max = CompletionQueue.MAX_MODERATION;
        if (request.count() < 0
                || request.count() > max
                || request.periodMicros() < 0
                || request.periodMicros() > max) {
            throw Statuses.invalid(
                    request.count() + " completions or " + request.periodMicros() + " us, must be 0 to " + max);
        }
        return _ -> {
            ForwardedCq forwarded = cq.forwarded();
            if (forwarded != null && cq.context().dataPath() == DataPathKind.FORWARDED) {
                // Its arm word in the HCA is the pump's.
                forwarded.moderate(request.count(), request.periodMicros());
            } else {
                Statuses.expectSuccess(
                        services.hca().moderateCq(cq.number(), request.count(), request.periodMicros()), "moderation");
            }
            return new ControlReply.Done();
        };
    }
}
