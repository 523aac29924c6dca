package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.UcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import java.util.List;

/** Takes one call of an unreliable connection and prints what comes over it. */
public final class UcCallee {
    static final long SERVICE = 0x4856_5543;

    private UcCallee() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            UcQueuePair qp = queuePair(node);
            CmChannel channel = node.closing(ConnectionManager.of(node.context).createChannel());
            var _ = node.closing(ConnectionManager.of(node.context).listen(channel, SERVICE, /* backlog= */ 1));
            node.tell("up", "yes");
            CmEvent call = next(channel, CmEvent.Type.CONNECT_REQUEST);
            System.out.println("called by "
                    + call.guest()
                    + " over "
                    + call.offer().type()
                    + ": "
                    + call.privateData().text());
            CmConnection connection = node.closing(call.connection());
            connection.accept(
                    qp,
                    parameters(
                            Long.toHexString(node.region.address()) + " " + Integer.toHexString(node.region.rkey())));
            var _ = next(channel, CmEvent.Type.ESTABLISHED);
            // What was sent until then found no receive.
            var _ = node.hear(call.guest(), "unheard");
            Node.posted(qp.postReceive(List.of(node.receive(1), node.receive(2))));
            // Forwarded posts are under way when they return: one that has completed was behind
            // them.
            Node.posted(qp.postSend(
                    new SendWorkRequest.RdmaWrite(8, SendFlags.SIGNALLED, List.of(), /* remoteAddress= */ 0, 0)));
            var _ = node.done(8);
            node.tell("listening", "yes");
            print(node, node.done(1), 1);
            // Data of a write with immediate lies where the peer wrote it.
            print(node, node.done(2), 4);
            Node.posted(qp.postSend(
                    new SendWorkRequest.Send(9, SendFlags.SIGNALLED, List.of(node.write(0, "hello back")))));
            var _ = node.done(9);
            CmEvent end = next(channel, CmEvent.Type.DISCONNECTED);
            System.out.println("disconnected: " + end.privateData().text());
            connection.disconnect(PrivateData.of("bye too"));
        }
    }

    static UcQueuePair queuePair(Node node) throws VerbsException {
        return node.closing(node.pd.createUc(QpLimits.of(8, 8), node.cq, node.cq));
    }

    static CmParameters parameters(String privateData) {
        return CmParameters.standard().withAccess(Peer.ALL).withPrivateData(PrivateData.of(privateData));
    }

    /** The next event, which must be of that type. */
    static CmEvent next(CmChannel channel, CmEvent.Type type) throws VerbsException {
        CmEvent event = channel.await(Node.PATIENCE).orElseThrow();
        Node.require(event.type() == type, "event " + event + ", must be " + type);
        return event;
    }

    private static void print(Node node, WorkCompletion found, int slot) {
        System.out.println(found.opcode() + " " + node.read(slot) + ", immediate " + found.immediate());
    }
}
