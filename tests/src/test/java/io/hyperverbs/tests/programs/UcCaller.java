package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;

/** Calls {@link UcCallee}, sends and writes over the connection. Argument: the callee's name. */
public final class UcCaller {
    private UcCaller() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            String callee = args[0];
            UcQueuePair qp = UcCallee.queuePair(node);
            CmChannel channel = node.closing(ConnectionManager.of(node.context).createChannel());
            CmConnection connection =
                    node.closing(ConnectionManager.of(node.context).resolve(channel, Destination.guest(callee)));
            var _ = node.hear(callee, "up");
            connection.connect(qp, UcCallee.SERVICE, UcCallee.parameters("anybody there?"));
            CmEvent answer = UcCallee.next(channel, CmEvent.Type.ESTABLISHED);
            String[] place = answer.privateData().text().split(" ");
            long address = Long.parseUnsignedLong(place[0], 16) + 4 * Node.SLOT_BYTES;
            int rkey = Integer.parseUnsignedInt(place[1], 16);
            Node.posted(qp.postReceive(node.receive(1)));

            SendPoster sends = qp.sends();
            post(node, sends.start().sendWithImmediate(1, SendFlags.SIGNALLED, 1), "unheard");
            node.tell("unheard", "yes");
            var _ = node.hear(callee, "listening");
            post(node, sends.start().sendWithImmediate(1, SendFlags.SIGNALLED, 2), "heard");
            post(
                    node,
                    sends.start().rdmaWriteWithImmediate(1, SendFlags.SIGNALLED, address, rkey ^ 0xff, 3),
                    "wrong key");
            post(node, sends.start().rdmaWriteWithImmediate(1, SendFlags.SIGNALLED, address, rkey, 4), "written");
            // A slot of its own, as sends use slot 0.
            var _ = node.done(1);
            System.out.println(node.read(1) + ", " + qp.query().state());
            connection.disconnect(PrivateData.of("bye"));
            CmEvent end = UcCallee.next(channel, CmEvent.Type.DISCONNECTED);
            System.out.println("disconnected: " + end.privateData().text());
            Node.require(qp.query().state() == QpState.ERR, "disconnected and not in ERR");
        }
    }

    /** A UC request leaves well, whatever becomes of it. */
    private static void post(Node node, SendPoster request, String text) throws VerbsException {
        Sge sge = node.write(0, text);
        Node.posted(request.sge(sge.lkey(), sge.address(), sge.lengthBytes()).post());
        var _ = node.done(1);
    }
}
