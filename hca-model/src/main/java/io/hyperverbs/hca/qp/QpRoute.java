package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.verbs.QpAttribute;

/** Where the messages of a queue pair come from and how far they get, by the ports as they are now. */
public final class QpRoute {
    private QpRoute() {}

    /** Works it out again, after a change of the queue pair or of its port. */
    public static void update(Qp qp, PortTable ports) {
        int port = qp.attribute(QpAttribute.PORT);
        boolean open = ports.isPort(port) && ports.isUp(port);
        qp.route(
                ports.isPort(port) ? ports.settings().lid(port) : 0,
                open ? ports.reachable(qp.destinationLid()) : 0,
                ports.pkey(qp.attribute(QpAttribute.PKEY_INDEX)),
                open);
    }
}
