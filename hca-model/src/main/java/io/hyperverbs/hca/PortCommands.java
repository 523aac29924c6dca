package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.PortReport;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.VerbsStatus;

/** Commands on ports, each run as a whole on the engine thread. */
final class PortCommands {
    private final HcaDevice device;

    PortCommands(HcaDevice device) {
        this.device = device;
    }

    PortReport query(int port) {
        PortTable ports = device.ports();
        return ports.isPort(port)
                ? new PortReport(
                        VerbsStatus.SUCCESS, ports.state(port), ports.badPkeys(port), ports.qkeyViolations(port))
                : new PortReport(VerbsStatus.EINVAL, PortState.DOWN, 0, 0);
    }

    VerbsStatus set(int port, boolean up) {
        PortTable ports = device.ports();
        if (!ports.isPort(port)) {
            return VerbsStatus.EINVAL;
        }
        if (ports.isUp(port) == up) {
            return VerbsStatus.SUCCESS;
        }
        ports.set(port, up);
        for (int i = 0; i < device.qps().capacity(); i++) {
            Qp qp = device.qps().at(i);
            if (qp != null) {
                qp.route().update(qp, ports);
            }
        }
        device.uars().raiseInAll(port, up ? AsyncEvent.Type.PORT_ACTIVE : AsyncEvent.Type.PORT_ERR);
        return VerbsStatus.SUCCESS;
    }
}
