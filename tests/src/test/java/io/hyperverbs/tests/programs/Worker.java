package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;

/**
 * Works until the key {@code end} of the toolstack: one control verb and its end, and one write to
 * itself, in each round. Its key {@code rounds} says how many it has done.
 */
public final class Worker {
    private static final int ROUNDS_PER_LOOK = 50;
    private static final int BYTES = 8;

    private Worker() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair loop = node.rc("loop");
            Endpoint self = node.offered(node.domain.name(), "loop");
            Node.connect(loop, self);
            long rounds = 0;
            while (node.domain.store().read("tool", "end").isEmpty()) {
                for (int i = 0; i < ROUNDS_PER_LOOK; i++) {
                    node.context.allocatePd().close();
                    Node.posted(loop.sends()
                            .start()
                            .rdmaWrite(1, SendFlags.SIGNALLED, self.address(), self.rkey())
                            .sge(node.region.lkey(), node.region.address(), BYTES)
                            .post());
                    var _ = node.done(1);
                    rounds++;
                }
                node.tell("rounds", Long.toString(rounds));
            }
        }
        System.out.println("worked to the end");
    }
}
