package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;

/**
 * Where the messages of a queue pair come from and how far they get, by the ports as they were at the
 * last change of either. Engine thread only.
 */
public final class QpRoute {
    private int port;
    private int sourceLid;
    private int destinationLid;
    private int destinationPort;
    private int pkey;
    private boolean portUp;
    private int sourceAddress;
    private int remoteAddress;

    QpRoute() {}

    /** Works it out again, after a change of the queue pair or of its port. */
    public void update(Qp qp, PortTable ports) {
        int number = qp.attribute(QpAttribute.PORT);
        boolean known = ports.isPort(number);
        boolean open = known && ports.isUp(number);
        int lid = known ? lid(qp, ports) : 0;
        destinationLid = lid;
        set(
                number,
                known ? ports.settings().lid(number) : 0,
                open ? ports.reachable(lid) : 0,
                qp.plan().pkeys().pkey(qp.attribute(QpAttribute.PKEY_INDEX)),
                open);
        sourceAddress = known ? ports.wire().of(number) : 0;
        remoteAddress = sourceAddress == 0 ? 0 : address(qp, lid, ports);
    }

    // Of the HCA's own ports; of a GID that is none of them, 0.
    private static int lid(Qp qp, PortTable ports) {
        GlobalRoute route = qp.globalRoute();
        if (route == null) {
            return qp.destinationLid();
        }
        Gid gid = route.destination();
        int port = gid.isIpv4() ? ports.wire().port(gid.ipv4()) : 0;
        return port != 0 ? ports.settings().lid(port) : ports.settings().lidOf(gid);
    }

    private static int address(Qp qp, int lid, PortTable ports) {
        GlobalRoute route = qp.globalRoute();
        if (route != null && route.destination().isIpv4() && ports.byLid(lid) == 0) {
            return route.destination().ipv4();
        }
        return ports.wire().ofLid(lid);
    }

    /** In RESET there is none. */
    void clear() {
        set(0, 0, 0, 0, false);
        destinationLid = 0;
        sourceAddress = 0;
        remoteAddress = 0;
    }

    private void set(int newPort, int fromLid, int toPort, int partitionKey, boolean isPortUp) {
        port = newPort;
        sourceLid = fromLid;
        destinationPort = toPort;
        pkey = partitionKey;
        portUp = isPortUp;
    }

    /** Whether the peer is on another HCA, which messages reach over a wire if the port is up. */
    public boolean isRemote() {
        return remoteAddress != 0;
    }

    /** IPv4 address of the peer's port, 0 if it is on this HCA or nowhere. */
    public int remoteAddress() {
        return remoteAddress;
    }

    /** IPv4 address of its port, 0 if that is on no wire. */
    public int sourceAddress() {
        return sourceAddress;
    }

    public int port() {
        return port;
    }

    /** LID of its port. */
    public int sourceLid() {
        return sourceLid;
    }

    /** LID of the peer, also where its GID says it; 0 for a GID of another HCA. */
    public int destinationLid() {
        return destinationLid;
    }

    /** The port of this HCA that messages go to, 0 if they get to none. */
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
