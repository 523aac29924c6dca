package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;

/**
 * Writes and sends to {@link PortPeer} while the port is down; prints how each request ended.
 * Argument: the peer's name.
 */
public final class PortUser {
    private static final int FOR_EVER = 7;

    private PortUser() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            String peer = args[0];
            RcQueuePair patient = node.rc("patient");
            RcQueuePair impatient = node.rc("impatient");
            Node.connect(patient, node.offered(peer, "patient"), FOR_EVER);
            Node.connect(impatient, node.offered(peer, "impatient"), 1);
            UdSender datagrams = new UdSender(node);
            int qpn = datagrams.qpnOf(peer);
            AddressHandle ah =
                    datagrams.ah(AddressAttributes.of(node.context.queryPort(1).lid()));
            Endpoint place = node.offered(peer, "patient");
            var _ = node.hear(peer, "ready");
            node.tell("ready", "yes");

            System.out.println(PortPeer.portEvent(node.context));
            datagrams.send("while it is down", ah, qpn, UdReceiver.QKEY);
            write(node, patient, 101, place);
            write(node, impatient, 102, place);
            WorkCompletion failed = node.next();
            System.out.println(failed.wrId() + " " + failed.status());
            node.tell("down", "yes");

            System.out.println(PortPeer.portEvent(node.context));
            WorkCompletion went = node.next();
            System.out.println(went.wrId() + " " + went.status());
            System.out.println(patient.query().state() + " " + impatient.query().state());
            datagrams.send("after it is up", ah, qpn, UdReceiver.QKEY);
        }
    }

    private static void write(Node node, RcQueuePair qp, long wrId, Endpoint place) throws VerbsException {
        Node.posted(qp.postSend(new SendWorkRequest.RdmaWrite(
                wrId,
                SendFlags.SIGNALLED,
                List.of(node.write((int) (wrId - 98), "by " + wrId)),
                place.address() + 4 * Node.SLOT_BYTES,
                place.rkey())));
    }
}
