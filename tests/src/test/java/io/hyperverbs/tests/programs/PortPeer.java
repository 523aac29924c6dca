package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;

/**
 * Hears what its contexts are told of a port that goes down and up, and what {@link PortUser} sends
 * meanwhile. Argument: the user's name.
 */
public final class PortPeer {
    private PortPeer() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair patient = node.rc("patient");
            RcQueuePair impatient = node.rc("impatient");
            UdQueuePair datagrams = UdReceiver.activated(node);
            Node.posted(datagrams.postReceive(List.of(node.receive(1), node.receive(2))));
            node.tell("qpn", Integer.toString(datagrams.qpn()));
            Node.connect(patient, node.offered(args[0], "patient"));
            Node.connect(impatient, node.offered(args[0], "impatient"));
            Context second = node.closing(node.domain.devices().getFirst().open());
            node.tell("ready", "yes");

            System.out.println(portEvent(node.context) + ", " + portEvent(second));
            node.tell("down", "yes");
            System.out.println(portEvent(node.context) + ", " + portEvent(second));
            WorkCompletion found = node.done(1);
            System.out.println(node.buffer.getString(Node.SLOT_BYTES + Grh.SIZE_BYTES)
                    + ", written: "
                    + node.read(4)
                    + ", from "
                    + (found.qpn() == datagrams.qpn() ? "datagrams" : "elsewhere"));
        }
    }

    /** The next event of a context, and what the port says of itself then. */
    static String portEvent(Context context) throws Exception {
        var event = Node.event(context);
        return event.type()
                + " "
                + event.number()
                + " "
                + context.queryPort(event.number()).state();
    }
}
