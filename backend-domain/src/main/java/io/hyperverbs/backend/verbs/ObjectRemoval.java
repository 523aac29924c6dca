package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.forwarded.ForwardedCq;
import io.hyperverbs.backend.forwarded.ForwardedQp;
import io.hyperverbs.backend.forwarded.StagedSrq;
import io.hyperverbs.backend.session.AhObject;
import io.hyperverbs.backend.session.Attachment;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.RegionObject;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.backend.session.WindowObject;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes an object that nothing refers to away: first from the HCA, then from the session, and only
 * then its frames, since a copy may be in flight until the HCA has let go. If the HCA refuses,
 * nothing changes.
 */
final class ObjectRemoval {
    private final DeviceServices services;
    private final QueueMemories memories;

    ObjectRemoval(DeviceServices services) {
        this.services = services;
        this.memories = new QueueMemories(services);
    }

    VerbsStatus remove(Session session, QpObject qp) {
        VerbsStatus status = services.hca().destroyQp(qp.qpn());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        ForwardedQp forwarded = qp.forwarded();
        if (forwarded != null) {
            forwarded.close();
        }
        session.qps().remove(qp.handle());
        session.quota().giveBack(QuotaKind.QP, 1);
        qp.pd().dereference();
        qp.sendCq().dereference();
        qp.receiveCq().dereference();
        SrqObject srq = qp.srq();
        if (srq != null) {
            srq.dereference();
        }
        memories.release(session, qp.memory());
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus remove(Session session, SrqObject srq) {
        VerbsStatus status = services.hca().destroySrq(srq.srqn());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        StagedSrq forwarded = srq.forwarded();
        if (forwarded != null) {
            forwarded.close();
        }
        session.srqs().remove(srq.handle());
        session.quota().giveBack(QuotaKind.SRQ, 1);
        srq.pd().dereference();
        dereference(srq.xrcd());
        dereference(srq.cq());
        memories.release(session, srq.memory());
        return VerbsStatus.SUCCESS;
    }

    private static void dereference(@Nullable SessionObject object) {
        if (object != null) {
            object.dereference();
        }
    }

    VerbsStatus remove(Session session, CqObject cq) {
        VerbsStatus status = services.hca().destroyCq(cq.number());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        ForwardedCq forwarded = cq.forwarded();
        if (forwarded != null) {
            Objects.requireNonNull(cq.context().forwarded()).remove(forwarded);
            forwarded.close();
        }
        cq.context().removeCq(cq);
        session.cqs().remove(cq.handle());
        session.events().forget(cq.handle());
        session.quota().giveBack(QuotaKind.CQ, 1);
        session.quota().giveBack(QuotaKind.CQE, cq.entries());
        cq.context().dereference();
        memories.release(session, cq.memory());
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus remove(Session session, WindowObject window) {
        return WindowVerbs.remove(services, session, window);
    }

    VerbsStatus remove(Session session, RegionObject region) {
        VerbsStatus status = services.hca().destroyRegion(region.number());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        RegionObject.Registration registration = region.registration();
        session.regions().remove(region.handle());
        session.quota().giveBack(QuotaKind.MR, 1);
        session.quota().giveBack(QuotaKind.REGISTERED, registration.lengthBytes());
        registration.pd().dereference();
        if (!region.isDmaKey()) {
            unpin(session, registration.runs(), false);
        }
        return VerbsStatus.SUCCESS;
    }

    /** The HCA knows a ring only as part of a queue, and no queue uses it any more. */
    VerbsStatus remove(Session session, RingObject ring) {
        session.rings().remove(ring.handle());
        session.quota().giveBack(QuotaKind.RING, 1);
        ring.context().dereference();
        unpin(session, List.of(ring.run()), true);
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus remove(Session session, AhObject ah) {
        VerbsStatus status = services.hca().destroyAh(ah.number());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        session.ahs().remove(ah.handle());
        session.quota().giveBack(QuotaKind.AH, 1);
        ah.pd().dereference();
        return VerbsStatus.SUCCESS;
    }

    /** Takes a queue pair out of all multicast groups, as far as the HCA lets it go. */
    void detachAll(Session session, QpObject qp) {
        for (Attachment attachment : List.copyOf(qp.attachments())) {
            VerbsStatus _ = DatagramVerbs.detach(services, session, qp, attachment);
        }
    }

    VerbsStatus remove(Session session, PdObject pd) {
        VerbsStatus status = MemoryVerbs.end(services.hca(), pd);
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        session.pds().remove(pd.handle());
        session.quota().giveBack(QuotaKind.PD, 1);
        pd.context().dereference();
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus remove(Session session, ContextObject context) {
        VerbsStatus status = services.hca().closeUar(context.uar());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        ForwardedContext path = context.forwarded();
        if (path != null) {
            path.close();
        }
        services.routes().remove(context.uar());
        session.contexts().remove(context.handle());
        session.quota().giveBack(QuotaKind.UAR, 1);
        session.quota().giveBack(QuotaKind.BACKING, FrameRun.FRAME_BYTES);
        if (context.dataPath() == DataPathKind.FORWARDED) {
            session.quota().giveBack(QuotaKind.PUMP, 1);
        }
        Undo frames = new Undo(session.leftovers());
        frames.push(() -> services.machine().freeFrames(context.uarPage()));
        if (context.uarGrant() != 0) {
            frames.push(() -> services.machine().revokeGrant(context.uarGrant()));
            frames.push(() -> services.machine().revokeGrant(context.statusGrant()));
        }
        frames.run();
        return VerbsStatus.SUCCESS;
    }

    private void unpin(Session session, List<FrameRun> runs, boolean asRing) {
        session.leftovers().run(() -> services.machine().unpin(session.domain(), runs, asRing));
    }
}
