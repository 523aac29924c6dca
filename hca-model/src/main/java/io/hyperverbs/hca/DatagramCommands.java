package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Handled;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.engine.Card;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.schedule.Price;
import io.hyperverbs.hca.ud.AddressCheck;
import io.hyperverbs.hca.ud.AddressVector;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on address handles and multicast groups, each run on the engine thread. */
final class DatagramCommands {
    private final Card card;

    DatagramCommands(Card card) {
        this.card = card;
    }

    Handled createAh(int pd, AddressAttributes address) {
        if (!card.pds().exists(pd)) {
            return new Handled(VerbsStatus.EINVAL, 0, "no such PD");
        }
        String refusal = AddressCheck.refuse(address, card.ports().settings());
        if (refusal != null) {
            return new Handled(VerbsStatus.EINVAL, 0, refusal);
        }
        if (card.handles().isFull()) {
            return new Handled(VerbsStatus.ENOMEM, 0, "the HCA has no address handle left");
        }
        AddressVector made = card.handles().create(card.pds().domain(pd), pd, address);
        card.bill(card.pds().domain(pd), Price.COMMAND);
        card.pds().addOthers(pd, 1);
        return new Handled(VerbsStatus.SUCCESS, made.number(), "");
    }

    VerbsStatus destroyAh(int number) {
        AddressVector vector = card.handles().byNumber(number);
        if (vector == null) {
            return VerbsStatus.ENOENT;
        }
        card.handles().destroy(vector);
        card.bill(card.pds().domain(vector.pd()), Price.COMMAND);
        card.pds().addOthers(vector.pd(), -1);
        return VerbsStatus.SUCCESS;
    }

    Outcome attach(int qpn, Gid group, int lid) {
        Qp qp = card.qps().byNumber(qpn);
        if (qp == null || qp.type() != QpType.UD) {
            return new Outcome(VerbsStatus.EINVAL, "no such UD queue pair");
        }
        String refusal = AddressCheck.refuseGroup(group, lid);
        if (refusal != null) {
            return new Outcome(VerbsStatus.EINVAL, refusal);
        }
        card.bill(qp.share(), Price.COMMAND);
        return card.groups().attach(qp, group, lid)
                ? new Outcome(VerbsStatus.SUCCESS, "")
                : new Outcome(VerbsStatus.ENOMEM, "no room for or in group " + group);
    }

    VerbsStatus detach(int qpn, Gid group, int lid) {
        Qp qp = card.qps().byNumber(qpn);
        return qp != null && card.groups().detach(qp, group, lid) ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }
}
