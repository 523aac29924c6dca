package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.XrcInitiator;

/** The sending end of XRC; prints how each request ended. Argument: the receiver's guest. */
public final class XrcSender {
    private final Node node = new Node();
    private final XrcInitiator initiator = node.closing(node.pd.createXrcInitiator(QpLimits.of(8, 0), node.cq));

    private XrcSender() throws VerbsException {}

    public static void main(String[] args) throws Exception {
        XrcSender sender = new XrcSender();
        sender.talk(args[0]);
        sender.node.close();
    }

    private void talk(String receiver) throws VerbsException {
        node.offer("initiator", initiator.qpn());
        Endpoint target = node.offered(receiver, "target");
        int first = Integer.parseInt(node.hear(receiver, "first"));
        int second = Integer.parseInt(node.hear(receiver, "second"));
        initiator.connect(target, Peer.PSN);
        SendPoster sends = initiator.sends();
        post(sends.start().send(1, SendFlags.SIGNALLED), first, "to the first");
        post(sends.start().sendWithImmediate(2, SendFlags.SIGNALLED, 7), second, "to the second");
        long slot = target.address() + 4 * Node.SLOT_BYTES;
        post(sends.start().rdmaWrite(3, SendFlags.SIGNALLED, slot, target.rkey()), first, "a text");
        post(sends.start().sendWithImmediate(4, SendFlags.SIGNALLED, 8), second, "to it again");
        post(sends.start().send(5, SendFlags.SIGNALLED), neither(first, second), "to nobody");
    }

    private static int neither(int first, int second) {
        return (first ^ 1) == second ? first ^ 2 : first ^ 1;
    }

    private void post(SendPoster request, int srqn, String text) throws VerbsException {
        Sge sge = node.write(0, text);
        Node.posted(request.sharedQueue(srqn)
                .sge(sge.lkey(), sge.address(), sge.lengthBytes())
                .post());
        WorkCompletion found = node.next();
        System.out.println(found.wrId() + " " + found.status());
    }
}
