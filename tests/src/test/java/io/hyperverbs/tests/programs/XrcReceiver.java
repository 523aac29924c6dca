package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcTarget;

/**
 * The receiving end of XRC: one target, two shared receive queues. Prints what comes. Argument: the
 * initiator's guest.
 */
public final class XrcReceiver {
    private XrcReceiver() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            XrcDomain domain = node.closing(node.context.openXrcDomain());
            SharedReceiveQueue first = queue(node, domain);
            SharedReceiveQueue second = queue(node, domain);
            XrcTarget target = node.closing(domain.createTarget());
            Node.posted(first.postReceive(node.receive(1)));
            Node.posted(second.postReceive(node.receive(2)));
            Node.posted(second.postReceive(node.receive(3)));
            target.connect(node.offered(args[0], "initiator"), Peer.ALL);
            node.tell("first", Integer.toString(first.srqn()));
            node.tell("second", Integer.toString(second.srqn()));
            node.offer("target", target.qpn());
            for (int i = 0; i < 3; i++) {
                WorkCompletion found = node.next();
                Node.require(found.qpn() == target.qpn(), "completion of another queue pair");
                System.out.println(
                        found.wrId() + ": " + node.read((int) found.wrId()) + ", immediate " + found.immediate());
            }
            System.out.println("written: " + node.read(4));
            System.out.println(node.event().type() + ", " + target.query().state());
        }
    }

    private static SharedReceiveQueue queue(Node node, XrcDomain domain) throws VerbsException {
        return node.closing(domain.createSrq(node.pd, new SrqLimits(8, 1), node.cq));
    }
}
