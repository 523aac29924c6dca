package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;

/**
 * Management at API level (Liu 2006 §4.4). QP0 and QP1 themselves are the device domain's: no guest
 * creates or addresses them.
 */
final class ManagementVerbs {
    /** QPN and type code of QP0 and QP1 are alike ({@code IB_QPT_SMI}, {@code IB_QPT_GSI}). */
    private static final int LAST_MANAGEMENT_QP = 1;

    private final Management management;
    private final OtherHcas others;

    ManagementVerbs(DeviceServices device) {
        this.management = device.management();
        this.others = new OtherHcas(device);
    }

    /** EPERM for the types of QP0 and QP1. */
    static void refuseManagementType(int typeCode) throws Refusal {
        if (typeCode >= 0 && typeCode <= LAST_MANAGEMENT_QP) {
            throw new Refusal(VerbsStatus.EPERM, "QP" + typeCode + " is the device domain's");
        }
    }

    /** EPERM for attributes that address QP0 or QP1. */
    static void refuseManagementPeer(QpAttributes attributes) throws Refusal {
        if (attributes.has(QpAttribute.DEST_QPN)) {
            long qpn = attributes.get(QpAttribute.DEST_QPN);
            if (qpn >= 0 && qpn <= LAST_MANAGEMENT_QP) {
                throw new Refusal(VerbsStatus.EPERM, "QP" + qpn + " is the device domain's");
            }
        }
    }

    Verb check(Session session, ManagementRequest request) throws Refusal {
        return switch (request) {
            case ManagementRequest.CreateChannel r -> {
                ContextObject context = context(session, r.context());
                yield _ -> opened(management.createChannel(session, context));
            }
            case ManagementRequest.Listen r -> _ -> opened(management.listen(session, r));
            case ManagementRequest.Resolve r -> {
                others.refuse(r.to());
                yield _ -> reply(management.resolve(session, r));
            }
            case ManagementRequest.Connect r -> {
                if (r.offer().type() != QpType.UD) {
                    owned(session, r.offer().qpn());
                }
                yield done(() -> management.connect(session, r));
            }
            case ManagementRequest.Accept r -> {
                owned(session, r.offer().qpn());
                yield done(() -> management.accept(session, r));
            }
            case ManagementRequest.Answer r -> done(() -> management.answer(session, r));
            case ManagementRequest.TakeEvents r -> _ -> reply(management.take(session, r.channel()));
            case ManagementRequest.Release r -> done(() -> management.release(session, r.handle()));
            case ManagementRequest.QueryOwnGid r -> {
                var _ = context(session, r.context());
                yield _ -> reply(new ManagementReply.OwnGid(management.gid(session)));
            }
            case ManagementRequest.QueryPath r -> {
                var _ = context(session, r.context());
                others.refuse(r.to());
                yield _ -> reply(management.path(session, r.to()));
            }
            case ManagementRequest.JoinGroup r -> {
                ContextObject context = context(session, r.context());
                yield _ -> reply(management.join(session, context, r));
            }
            case ManagementRequest.QueryGroup r -> {
                var _ = context(session, r.context());
                yield _ -> reply(new ManagementReply.Members(management.members(r.group())));
            }
            case ManagementRequest.RegisterService r -> {
                ContextObject context = context(session, r.context());
                yield _ -> reply(management.register(session, context, r));
            }
            case ManagementRequest.QueryServices r -> {
                var _ = context(session, r.context());
                yield _ -> reply(new ManagementReply.Services(management.services(r)));
            }
        };
    }

    private static Verb done(Act act) {
        return _ -> {
            act.run();
            return new ControlReply.Done();
        };
    }

    /** What a verb does that answers nothing more. */
    private interface Act {
        void run() throws Refusal;
    }

    private static ContextObject context(Session session, long handle) throws Refusal {
        return Statuses.parameter(session.contexts().get(handle), "context");
    }

    /** A guest offers queue pairs of its own alone. */
    private static void owned(Session session, int qpn) throws Refusal {
        for (QpObject qp : session.qps().objects()) {
            if (qp.qpn() == qpn) {
                return;
            }
        }
        throw Statuses.invalid("no such QP");
    }

    private static ControlReply opened(long handle) {
        return reply(new ManagementReply.Opened(handle));
    }

    private static ControlReply reply(ManagementReply reply) {
        return new ControlReply.Management(reply);
    }
}
