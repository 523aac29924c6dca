package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.List;
import java.util.Set;

/**
 * Prints each datagram that it gets; "leave" makes it leave its group, "end" end. Argument: "group"
 * to be a member of {@link #GROUP}.
 */
public final class UdReceiver {
    static final Gid GROUP = new Gid(0xff12_4856_0000_00ffL, 0x7e57);
    static final int QKEY = 0x0011_2233;

    private static final int RECEIVES = 8;

    private UdReceiver() {}

    public static void main(String[] args) throws Exception {
        Node node = new Node();
        UdQueuePair qp = activated(node);
        for (int slot = 0; slot < RECEIVES; slot++) {
            Node.posted(qp.postReceive(new ReceiveWorkRequest(slot, List.of(node.slot(slot)))));
        }
        MulticastMembership membership = args.length > 0 ? join(node, qp) : null;
        node.tell("qpn", Integer.toString(qp.qpn()));
        String text = receive(node);
        while (!text.equals("end")) {
            if (text.equals("leave") && membership != null) {
                qp.detachMulticast(GROUP, membership.record().mlid());
                membership.close();
                node.tell("left", "yes");
            }
            text = receive(node);
        }
        // Whoever has not left still is in the group, and goes out of it with its process.
    }

    /** A queue pair of datagrams in RTS. */
    static UdQueuePair activated(Node node) throws VerbsException {
        UdQueuePair qp = node.closing(node.pd.createUd(QpLimits.of(RECEIVES, RECEIVES), node.cq, node.cq));
        qp.activate(QKEY, 0);
        return qp;
    }

    private static MulticastMembership join(Node node, UdQueuePair qp) throws VerbsException {
        MulticastMembership membership =
                node.closing(SubnetAdministration.of(node.context).join(GROUP, Set.of(JoinState.FULL_MEMBER), QKEY));
        qp.attachMulticast(GROUP, membership.record().mlid());
        return membership;
    }

    private static String receive(Node node) throws VerbsException {
        WorkCompletion found = node.next();
        int slot = (int) found.wrId();
        String text = node.buffer.getString((long) slot * Node.SLOT_BYTES + Grh.SIZE_BYTES);
        String header = "";
        if (found.hasGrh()) {
            Gid to = Grh.destination(node.buffer, (long) slot * Node.SLOT_BYTES);
            header = to.isMulticast() ? ", to the group" : ", to a GID";
        }
        System.out.println(text
                + header
                + (found.hasImmediate() ? ", immediate " + found.immediate() : "")
                + " "
                + found.status());
        return text;
    }
}
