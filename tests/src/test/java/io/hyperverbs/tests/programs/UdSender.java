package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.List;

/** Sends datagrams to a guest in all ways that there are. Argument: the guest's name. */
public final class UdSender {
    private final Node node;
    private final UdQueuePair qp;
    private long sent;

    UdSender(Node node) throws VerbsException {
        this.node = node;
        this.qp = UdReceiver.activated(node);
    }

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            UdSender sender = new UdSender(node);
            int qpn = sender.qpnOf(args[0]);
            int lid = node.context.queryPort(1).lid();
            AddressHandle byLid = sender.ah(AddressAttributes.of(lid));
            AddressHandle byGid = sender.ah(AddressAttributes.of(node.context.queryGid(1, 0)));
            PathRecord path = SubnetAdministration.of(node.context).path(Destination.guest(args[0]));
            AddressHandle byPath = sender.ah(
                    AddressAttributes.of(path.destinationLid()).withRoute(GlobalRoute.to(path.destinationGid())));

            sender.send("by LID", byLid, qpn, UdReceiver.QKEY);
            sender.sendImmediate("by GID", byGid, qpn, 7);
            sender.send("by path record", byPath, qpn, UdReceiver.QKEY);
            sender.send("with another Q_Key", byLid, qpn, UdReceiver.QKEY + 1);
            sender.send("to another QPN", byLid, qpn ^ 1, UdReceiver.QKEY);
            sender.sendImmediate("by LID", byLid, qpn, 8);
            sender.send("end", byLid, qpn, UdReceiver.QKEY);
        }
    }

    int qpnOf(String guest) throws VerbsException {
        return Integer.parseInt(node.hear(guest, "qpn"));
    }

    AddressHandle ah(AddressAttributes attributes) throws VerbsException {
        return node.closing(node.pd.createAh(attributes));
    }

    /** Sends a text; it leaves well, whatever becomes of it. */
    void send(String text, AddressHandle ah, int qpn, int qkey) throws VerbsException {
        post(new SendWorkRequest.SendTo(
                ++sent, SendFlags.SIGNALLED, List.of(node.write(0, text)), ah.number(), qpn, qkey));
    }

    private void sendImmediate(String text, AddressHandle ah, int qpn, int immediate) throws VerbsException {
        post(new SendWorkRequest.SendToWithImmediate(
                ++sent,
                SendFlags.SIGNALLED,
                List.of(node.write(0, text)),
                ah.number(),
                qpn,
                UdReceiver.QKEY,
                immediate));
    }

    private void post(SendWorkRequest request) throws VerbsException {
        Node.posted(qp.postSend(request));
        var _ = node.done(sent);
    }
}
