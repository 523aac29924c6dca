package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;

/**
 * Waits until the HCA fails, and prints what it hears and can still do. Argument: "busy" to write
 * to itself meanwhile.
 */
public final class FatalWitness {
    /** The HCA fails when all witnesses are there. */
    private static final Duration UNTIL_FAILURE = Duration.ofMinutes(2);

    private FatalWitness() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            RcQueuePair qp = node.rc("end");
            Node.connect(qp, node.offered(node.domain.name(), "end"));
            Node.posted(qp.postReceive(node.receive(1)));
            node.tell("up", "yes");
            if (args.length > 0) {
                print(writeUntilFailure(node, qp));
            }
            print(node.next(UNTIL_FAILURE));
            System.out.println(node.event().type());
            try {
                System.out.println(qp.query().state());
            } catch (VerbsException e) {
                System.out.println("query: " + e.status());
            }
        }
        System.out.println("all closed");
    }

    private static void print(WorkCompletion found) {
        System.out.println((found.wrId() == 1 ? "receive: " : "write: ") + found.status());
    }

    private static WorkCompletion writeUntilFailure(Node node, RcQueuePair qp) throws VerbsException {
        while (true) {
            Node.posted(qp.postSend(new SendWorkRequest.RdmaWrite(
                    2, SendFlags.SIGNALLED, List.of(node.slot(0)), node.slot(2).address(), node.region.rkey())));
            WorkCompletion found = node.next();
            if (found.status() != VerbsStatus.SUCCESS) {
                return found;
            }
        }
    }
}
