package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.AhObject;
import io.hyperverbs.backend.session.Attachment;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands.Handled;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.ud.AddressCheck;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.AttachMulticast;
import io.hyperverbs.vmm.io.ControlRequest.CreateAh;
import io.hyperverbs.vmm.io.ControlRequest.DetachMulticast;
import org.jspecify.annotations.Nullable;

/** Address handles, and the multicast groups of a queue pair. */
final class DatagramVerbs {
    private final DeviceServices services;

    DatagramVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb createAh(Session session, CreateAh request) throws Refusal {
        PdObject pd = Statuses.pd(session, request.pd());
        refuse(AddressCheck.refuse(request.attributes(), services.ports()));
        session.quota().check(QuotaKind.AH, 1);
        return undo -> {
            session.quota().take(QuotaKind.AH, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.AH, 1));
            Handled made = services.hca().createAh(pd.number(), request.attributes());
            if (made.status() != VerbsStatus.SUCCESS) {
                throw new Refusal(made.status(), made.message());
            }
            undo.push(() -> services.hca().destroyAh(made.number()));
            AhObject ah = new AhObject(pd, made.number());
            pd.reference();
            undo.push(pd::dereference);
            long handle = session.ahs().add(ah);
            ah.handle(handle);
            undo.push(() -> session.ahs().remove(handle));
            return new ControlReply.AhCreated(handle, made.number());
        };
    }

    /** Attaching twice is once (ibv_attach_mcast). */
    Verb attach(Session session, AttachMulticast request) throws Refusal {
        QpObject qp = Statuses.parameter(session.qps().get(request.qp()), "QP");
        Attachment attachment = new Attachment(request.group(), request.lid());
        refuse(AddressCheck.refuseGroup(request.group(), request.lid()));
        if (qp.attachments().contains(attachment)) {
            return _ -> new ControlReply.Done();
        }
        session.quota().check(QuotaKind.MCAST, 1);
        return undo -> {
            session.quota().take(QuotaKind.MCAST, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.MCAST, 1));
            Outcome outcome = services.hca().attachMulticast(qp.qpn(), request.group(), request.lid());
            if (outcome.status() != VerbsStatus.SUCCESS) {
                throw new Refusal(outcome.status(), outcome.message());
            }
            undo.push(() -> services.hca().detachMulticast(qp.qpn(), request.group(), request.lid()));
            qp.attachments().add(attachment);
            undo.push(() -> qp.attachments().remove(attachment));
            qp.reference();
            undo.push(qp::dereference);
            return new ControlReply.Done();
        };
    }

    Verb detach(Session session, DetachMulticast request) throws Refusal {
        QpObject qp = Statuses.parameter(session.qps().get(request.qp()), "QP");
        Attachment attachment = new Attachment(request.group(), request.lid());
        if (!qp.attachments().contains(attachment)) {
            throw Statuses.invalid("not attached to group " + request.group());
        }
        return _ -> {
            Statuses.expectSuccess(detach(services, session, qp, attachment), "multicast group");
            return new ControlReply.Done();
        };
    }

    /** Detaches a queue pair from one group; nothing changes if the HCA refuses. */
    static VerbsStatus detach(DeviceServices services, Session session, QpObject qp, Attachment attachment) {
        VerbsStatus status = services.hca().detachMulticast(qp.qpn(), attachment.group(), attachment.lid());
        if (status == VerbsStatus.SUCCESS) {
            qp.attachments().remove(attachment);
            qp.dereference();
            session.quota().giveBack(QuotaKind.MCAST, 1);
        }
        return status;
    }

    private static void refuse(@Nullable String refusal) throws Refusal {
        if (refusal != null) {
            throw Statuses.invalid(refusal);
        }
    }
}
