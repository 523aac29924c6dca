package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.forwarded.ForwardedQp;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.QueueMemory;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.HcaCommands.QpInit;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.CreateQp;
import io.hyperverbs.vmm.io.ControlRequest.ModifyQp;
import org.jspecify.annotations.Nullable;

/** Creating a queue pair, second stage (Liu 2006 §4.3), and moving it between states. */
final class QueuePairVerbs {
    private static final int CONTROLLED_QKEY_BIT = 31;

    private final DeviceServices services;
    private final QueueMemories memories;

    QueuePairVerbs(DeviceServices services) {
        this.services = services;
        this.memories = new QueueMemories(services);
    }

    /** What a create names, found and checked. */
    private record Parts(
            PdObject pd,
            CqObject sendCq,
            CqObject receiveCq,
            QpType type,
            QpLimits limits,
            QueueGeometry geometry,
            @Nullable RingObject ring,
            @Nullable SrqObject srq) {}

    Verb create(Session session, CreateQp request) throws Refusal {
        PdObject pd = request.typeCode() == QpType.XRC_RECV.code()
                ? Statuses.xrcd(session, request.pd())
                : Statuses.pd(session, request.pd());
        CqObject sendCq = Statuses.parameter(session.cqs().get(request.sendCq()), "send CQ");
        CqObject receiveCq = Statuses.parameter(session.cqs().get(request.receiveCq()), "receive CQ");
        if (sendCq.context() != pd.context() || receiveCq.context() != pd.context()) {
            throw Statuses.invalid("PD and CQs are of different contexts");
        }
        ManagementVerbs.refuseManagementType(request.typeCode());
        QpType type = type(request.typeCode());
        QueueGeometry geometry = geometry(request.limits());
        if (type.isXrc() && (request.limits().receiveWr() != 0 || request.srq() != 0)) {
            throw Statuses.invalid("a queue pair of XRC has no receives of its own");
        }
        SrqObject srq = sharedQueue(session, pd, request);
        session.quota().check(QuotaKind.QP, 1);
        RingObject ring = memories.check(session, pd.context(), request.ring(), geometry.totalBytes());
        Parts parts = new Parts(pd, sendCq, receiveCq, type, request.limits(), geometry, ring, srq);
        return undo -> create(session, parts, undo);
    }

    private ControlReply create(Session session, Parts parts, Undo undo) throws Refusal {
        PdObject pd = parts.pd;
        session.quota().take(QuotaKind.QP, 1);
        undo.push(() -> session.quota().giveBack(QuotaKind.QP, 1));
        QueueMemory memory = memories.take(session, parts.ring, parts.geometry.totalBytes(), undo);
        Slotted made = services.hca()
                .createQp(new QpInit(
                        pd.context().uar(),
                        pd.number(),
                        parts.type,
                        parts.sendCq.number(),
                        parts.receiveCq.number(),
                        memory.machineAddress(),
                        parts.limits,
                        session.share().weight(),
                        parts.srq == null ? 0 : parts.srq.srqn()));
        Statuses.expectSuccess(made.status(), "QP");
        undo.push(() -> services.hca().destroyQp(made.number()));

        QpObject qp = new QpObject(
                pd,
                parts.sendCq,
                parts.receiveCq,
                made.number(),
                memory,
                forwarded(parts, made.slot(), memory),
                parts.srq);
        pd.reference();
        undo.push(pd::dereference);
        parts.sendCq.reference();
        undo.push(parts.sendCq::dereference);
        parts.receiveCq.reference();
        undo.push(parts.receiveCq::dereference);
        if (parts.srq != null) {
            parts.srq.reference();
            undo.push(parts.srq::dereference);
        }
        long handle = session.qps().add(qp);
        qp.handle(handle);
        undo.push(() -> session.qps().remove(handle));
        return new ControlReply.QpCreated(handle, made.number(), made.slot());
    }

    /** The table of legal moves is the HCA's; what it refuses has changed nothing. */
    Verb modify(Session session, ModifyQp request) throws Refusal {
        QpObject qp = Statuses.parameter(session.qps().get(request.qp()), "QP");
        // What has higher bits is no Q_Key at all, which is the HCA's to say.
        if (request.attributes().has(QpAttribute.QKEY)
                && request.attributes().get(QpAttribute.QKEY) >>> CONTROLLED_QKEY_BIT == 1) {
            throw new Refusal(VerbsStatus.EPERM, "a Q_Key with its high bit set is for subnet management alone");
        }
        ManagementVerbs.refuseManagementPeer(request.attributes());
        return undo -> {
            Outcome outcome = services.hca().modifyQp(qp.qpn(), request.attributes());
            if (outcome.status() != VerbsStatus.SUCCESS) {
                throw new Refusal(outcome.status(), outcome.message());
            }
            ForwardedQp forwarded = qp.forwarded();
            if (forwarded != null
                    && request.attributes().has(QpAttribute.STATE)
                    && request.attributes().state() == QpState.RESET) {
                forwarded.reset();
            }
            return new ControlReply.Done();
        };
    }

    private static @Nullable SrqObject sharedQueue(Session session, PdObject pd, CreateQp request) throws Refusal {
        if (request.srq() == 0) {
            return null;
        }
        SrqObject srq = Statuses.parameter(session.srqs().get(request.srq()), "SRQ");
        if (srq.pd().context() != pd.context()) {
            throw Statuses.invalid("PD and SRQ are of different contexts");
        }
        if (srq.xrcd() != null) {
            throw Statuses.invalid("a queue pair takes no receives from an SRQ of XRC");
        }
        if (request.limits().receiveWr() != 0) {
            throw Statuses.invalid("a queue pair on an SRQ has no receive queue of its own");
        }
        return srq;
    }

    private @Nullable ForwardedQp forwarded(Parts parts, int slot, QueueMemory memory) {
        ForwardedContext path = parts.pd.context().forwarded();
        return path == null
                ? null
                : new ForwardedQp(
                        services.machine().machineMemory(),
                        memory.machineAddress(),
                        parts.geometry,
                        path.doorbell(),
                        slot);
    }

    private static QpType type(int code) throws Refusal {
        return QpType.of(code).orElseThrow(() -> Statuses.invalid("QP type " + code + " is unknown"));
    }

    private static QueueGeometry geometry(QpLimits limits) throws Refusal {
        if (!QueueGeometry.isValid(limits)) {
            throw Statuses.invalid(limits + " is beyond the HCA's limits");
        }
        return QueueGeometry.of(limits);
    }
}
