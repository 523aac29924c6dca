package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.verbs.QpAttribute;

/**
 * Where the messages of a queue pair come from and how far they get, by the ports as they were at the
 * last change of either. Engine thread only.
 */
public final class QpRoute {
    private int port;
    private int sourceLid;
    private int destinationPort;
    private int pkey;
    private boolean portUp;

    QpRoute() {}

    /** Works it out again, after a change of the queue pair or of its port. */
    public void update(Qp qp, PortTable ports) {
        int number = qp.attribute(QpAttribute.PORT);
        boolean known = ports.isPort(number);
        boolean open = known && ports.isUp(number);
        set(
                number,
                known ? ports.settings().lid(number) : 0,
                open ? ports.reachable(qp.destinationLid()) : 0,
                ports.pkey(qp.attribute(QpAttribute.PKEY_INDEX)),
                open);
    }

    /** In RESET there is none. */
    void clear() {
        set(0, 0, 0, 0, false);
    }

    private void set(int newPort, int fromLid, int toPort, int partitionKey, boolean isPortUp) {
        port = newPort;
        sourceLid = fromLid;
        destinationPort = toPort;
        pkey = partitionKey;
        portUp = isPortUp;
    }

    int port() {
        return port;
    }

    /** LID of its port. */
    public int sourceLid() {
        return sourceLid;
    }

    /** The port that the destination LID is, 0 if messages do not get there. */
    public int destinationPort() {
        return destinationPort;
    }

    public int pkey() {
        return pkey;
    }

    public boolean isPortUp() {
        return portUp;
    }
}
