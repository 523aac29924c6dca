package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;

/**
 * Opens a window of type 2 to the peer of one of its queue pairs, and prints what becomes of it.
 * Argument: the peer's name.
 */
public final class WindowOwner {
    static final int SLOT = 4;

    private WindowOwner() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair qp = node.rc("end");
            RcQueuePair other = node.rc("other");
            Node.connect(qp, node.offered(args[0], "end"));
            Node.connect(other, node.offered(args[0], "other"));
            MemoryWindow window = node.closing(node.pd.allocateWindow(MemoryWindow.Type.TWO));
            var _ = node.write(SLOT, "untouched");
            Node.posted(qp.sends()
                    .start()
                    .bindWindow(
                            1,
                            SendFlags.SIGNALLED,
                            window,
                            MemoryWindow.nextKey(window.rkey()),
                            new WindowBinding(
                                    node.region,
                                    node.region.address() + SLOT * Node.SLOT_BYTES,
                                    Node.SLOT_BYTES,
                                    EnumSet.of(Access.REMOTE_WRITE)))
                    .post());
            var _ = node.done(1);
            Node.posted(qp.postReceive(node.receive(2)));
            node.tell("window", Integer.toHexString(window.rkey()));
            System.out.println("other queue pair: " + node.event().type() + ", "
                    + other.query().state());
            WorkCompletion found = node.done(2);
            System.out.println(node.read(2)
                    + ", invalidated: "
                    + (found.hasInvalidatedKey() && found.invalidatedKey() == window.rkey()));
            System.out.println(
                    "afterwards: " + node.event().type() + ", " + qp.query().state());
            System.out.println("memory: " + node.read(SLOT));
        }
    }
}
