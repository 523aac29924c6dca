package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Handled;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.ud.AddressCheck;
import io.hyperverbs.hca.ud.AddressVector;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on address handles and multicast groups, each run on the engine thread. */
final class DatagramCommands {
    private final HcaDevice device;

    DatagramCommands(HcaDevice device) {
        this.device = device;
    }

    Handled createAh(int pd, AddressAttributes address) {
        if (!device.pds().exists(pd)) {
            return new Handled(VerbsStatus.EINVAL, 0, "no such PD");
        }
        String refusal = AddressCheck.refuse(address, device.ports().settings());
        if (refusal != null) {
            return new Handled(VerbsStatus.EINVAL, 0, refusal);
        }
        if (device.handles().isFull()) {
            return new Handled(VerbsStatus.ENOMEM, 0, "the HCA has no address handle left");
        }
        AddressVector made = device.handles().create(device.pds().domain(pd), pd, address);
        device.bill(device.pds().domain(pd), EngineCost.COMMAND);
        device.pds().addOthers(pd, 1);
        return new Handled(VerbsStatus.SUCCESS, made.number(), "");
    }

    VerbsStatus destroyAh(int number) {
        AddressVector vector = device.handles().byNumber(number);
        if (vector == null) {
            return VerbsStatus.ENOENT;
        }
        device.handles().destroy(vector);
        device.bill(device.pds().domain(vector.pd()), EngineCost.COMMAND);
        device.pds().addOthers(vector.pd(), -1);
        return VerbsStatus.SUCCESS;
    }

    Outcome attach(int qpn, Gid group, int lid) {
        Qp qp = device.qps().byNumber(qpn);
        if (qp == null || qp.type() != QpType.UD) {
            return new Outcome(VerbsStatus.EINVAL, "no such UD queue pair");
        }
        String refusal = AddressCheck.refuseGroup(group, lid);
        if (refusal != null) {
            return new Outcome(VerbsStatus.EINVAL, refusal);
        }
        device.bill(qp.share(), EngineCost.COMMAND);
        return device.groups().attach(qp, group, lid)
                ? new Outcome(VerbsStatus.SUCCESS, "")
                : new Outcome(VerbsStatus.ENOMEM, "no room for or in group " + group);
    }

    VerbsStatus detach(int qpn, Gid group, int lid) {
        Qp qp = device.qps().byNumber(qpn);
        return qp != null && device.groups().detach(qp, group, lid) ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }
}
