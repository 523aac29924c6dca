package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import java.util.List;

/** Sends numbers to {@link SrqOwner}. Argument: its name. */
public final class RcSender {
    private RcSender() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair qp = node.rc("end");
            Node.connect(qp, node.offered(args[0], "to-" + node.domain.name()));
            var _ = node.hear(args[0], "up");
            for (int i = 1; i <= SrqOwner.MESSAGES; i++) {
                Node.posted(qp.postSend(
                        new SendWorkRequest.Send(i, SendFlags.SIGNALLED, List.of(node.write(0, Integer.toString(i))))));
                var _ = node.done(i);
            }
        }
    }
}
