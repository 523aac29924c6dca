package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.StagedSrq;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.SrqInit;
import io.hyperverbs.hca.HcaCommands.SrqState;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.ArmSrq;
import io.hyperverbs.vmm.io.ControlRequest.CreateSrq;
import io.hyperverbs.vmm.io.ControlRequest.QuerySrq;
import io.hyperverbs.vmm.io.ControlRequest.ResizeSrq;
import org.jspecify.annotations.Nullable;

/** Shared receive queues: second stage of creating (Liu 2006 §4.3), limit, size. */
final class SharedReceiveQueueVerbs {
    private final DeviceServices services;
    private final QueueMemories memories;

    SharedReceiveQueueVerbs(DeviceServices services) {
        this.services = services;
        this.memories = new QueueMemories(services);
    }

    Verb create(Session session, CreateSrq request) throws Refusal {
        PdObject pd = Statuses.pd(session, request.pd());
        SrqLimits limits = request.limits();
        SrqGeometry geometry = geometry(limits.receiveWr(), limits.receiveSge());
        session.quota().check(QuotaKind.SRQ, 1);
        RingObject ring = memories.check(session, pd.context(), request.ring(), geometry.totalBytes());
        PdObject xrcd = null;
        CqObject cq = null;
        if (request.xrcd() != 0 || request.cq() != 0) {
            xrcd = Statuses.xrcd(session, request.xrcd());
            cq = Statuses.parameter(session.cqs().get(request.cq()), "CQ");
            if (xrcd.context() != pd.context() || cq.context() != pd.context()) {
                throw Statuses.invalid("PD, XRC domain and CQ are of different contexts");
            }
        }
        Xrc xrc = new Xrc(xrcd, cq);
        return undo -> create(session, pd, limits, ring, xrc, undo);
    }

    private ControlReply create(
            Session session, PdObject pd, SrqLimits limits, @Nullable RingObject ring, Xrc xrc, Undo undo)
            throws Refusal {
        SrqGeometry geometry = SrqGeometry.of(limits.receiveWr(), limits.receiveSge());
        session.quota().take(QuotaKind.SRQ, 1);
        undo.push(() -> session.quota().giveBack(QuotaKind.SRQ, 1));
        QueueMemory memory = memories.take(session, ring, geometry.totalBytes(), undo);
        Numbered made = services.hca()
                .createSrq(new SrqInit(
                        pd.context().uar(),
                        pd.number(),
                        memory.machineAddress(),
                        limits.receiveWr(),
                        limits.receiveSge(),
                        xrc.xrcd == null ? 0 : xrc.xrcd.number(),
                        xrc.cq == null ? 0 : xrc.cq.number()));
        Statuses.expectSuccess(made.status(), "SRQ");
        undo.push(() -> services.hca().destroySrq(made.number()));

        SrqObject srq = new SrqObject(
                pd, made.number(), limits.receiveSge(), memory, forwarded(pd, geometry, memory), xrc.xrcd, xrc.cq);
        reference(pd, undo);
        reference(xrc.xrcd, undo);
        reference(xrc.cq, undo);
        long handle = session.srqs().add(srq);
        srq.handle(handle);
        undo.push(() -> session.srqs().remove(handle));
        return new ControlReply.SrqCreated(handle, made.number());
    }

    /** What a queue of XRC needs besides; both null for any other. */
    private record Xrc(@Nullable PdObject xrcd, @Nullable CqObject cq) {}

    private static void reference(@Nullable SessionObject object, Undo undo) {
        if (object != null) {
            object.reference();
            undo.push(object::dereference);
        }
    }

    Verb arm(Session session, ArmSrq request) throws Refusal {
        SrqObject srq = find(session, request.srq());
        return _ -> {
            Statuses.expectSuccess(services.hca().armSrq(srq.srqn(), request.limit()), "limit " + request.limit());
            return new ControlReply.Done();
        };
    }

    Verb query(Session session, QuerySrq request) throws Refusal {
        SrqObject srq = find(session, request.srq());
        return _ -> {
            SrqState state = services.hca().querySrq(srq.srqn());
            Statuses.expectSuccess(state.status(), "SRQ");
            return new ControlReply.SrqQueried(state.entries(), state.limit(), state.head());
        };
    }

    Verb resize(Session session, ResizeSrq request) throws Refusal {
        SrqObject srq = find(session, request.srq());
        SrqGeometry geometry = geometry(request.receiveWr(), srq.receiveSge());
        RingObject ring = memories.check(session, srq.pd().context(), request.ring(), geometry.totalBytes());
        return undo -> {
            QueueMemory memory = memories.take(session, ring, geometry.totalBytes(), undo);
            Statuses.expectSuccess(
                    resize(srq, memory, request.receiveWr(), geometry), request.receiveWr() + " receives");
            undo.settle();
            memories.release(session, srq.memory());
            srq.memory(memory);
            return new ControlReply.Done();
        };
    }

    private VerbsStatus resize(SrqObject srq, QueueMemory memory, int receiveWr, SrqGeometry geometry) {
        long address = memory.machineAddress();
        StagedSrq forwarded = srq.forwarded();
        return forwarded == null
                ? services.hca().resizeSrq(srq.srqn(), address, receiveWr)
                : forwarded.resize(address, geometry, () -> services.hca().resizeSrq(srq.srqn(), address, receiveWr));
    }

    private @Nullable StagedSrq forwarded(PdObject pd, SrqGeometry geometry, QueueMemory memory) {
        return pd.context().forwarded() == null
                ? null
                : new StagedSrq(services.machine().machineMemory(), memory.machineAddress(), geometry);
    }

    private static SrqObject find(Session session, long handle) throws Refusal {
        return Statuses.parameter(session.srqs().get(handle), "SRQ");
    }

    private static SrqGeometry geometry(int receiveWr, int receiveSge) throws Refusal {
        if (!SrqGeometry.isValid(receiveWr, receiveSge)) {
            throw Statuses.invalid(receiveWr + " receives of " + receiveSge + " pieces, beyond the HCA's limits");
        }
        return SrqGeometry.of(receiveWr, receiveSge);
    }
}
