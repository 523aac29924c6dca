package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;

/**
 * Uses and ends the window of {@link WindowOwner}; prints how each request ended. Argument: the
 * owner's name.
 */
public final class WindowUser {
    private WindowUser() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair qp = node.rc("end");
            RcQueuePair other = node.rc("other");
            Endpoint owner = node.offered(args[0], "end");
            Node.connect(qp, owner);
            Node.connect(other, node.offered(args[0], "other"));
            int rkey = Integer.parseUnsignedInt(node.hear(args[0], "window"), 16);

            write(node, other, owner, rkey, "through another queue pair");
            write(node, qp, owner, rkey, "through the window");
            post(node, qp.sends().start().sendWithInvalidate(2, SendFlags.SIGNALLED, rkey), "done");
            write(node, qp, owner, rkey, "after its end");
        }
    }

    private static void write(Node node, RcQueuePair qp, Endpoint owner, int rkey, String text) throws VerbsException {
        long address = owner.address() + WindowOwner.SLOT * Node.SLOT_BYTES;
        post(node, qp.sends().start().rdmaWrite(1, SendFlags.SIGNALLED, address, rkey), text);
    }

    private static void post(Node node, SendPoster request, String text) throws VerbsException {
        Sge sge = node.write(0, text);
        Node.posted(request.sge(sge.lkey(), sge.address(), sge.lengthBytes()).post());
        System.out.println(text + ": " + node.next().status());
    }
}
