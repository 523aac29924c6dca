package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Whole transfers that must work, for cases that need one on the way to their own subject. */
final class Transfers {
    private static final int SEED = 77;

    private Transfers() {}

    /** Writes from the start of one buffer to the start of the other. */
    static void writes(Rig.Pair pair, int lengthBytes) {
        Side from = pair.requester();
        Side to = pair.responder();
        Pattern.fill(from.buffer(), 0, lengthBytes, SEED);
        from.post(Operation.WRITE.request(SEED, to, 0, from.sge(0, lengthBytes)));
        from.sent(SEED, VerbsStatus.SUCCESS);
        Pattern.expect(to.buffer(), 0, lengthBytes, SEED, "data written");
    }

    /** Sends from the start of one buffer into a receive at the start of the other. */
    static void sends(Rig.Pair pair, int lengthBytes) {
        sends(pair.requester(), pair.responder(), lengthBytes);
    }

    /** Sends from the start of one buffer into a receive at the start of the other. */
    static void sends(Side from, Side to, int lengthBytes) {
        Pattern.fill(from.buffer(), 0, lengthBytes, SEED);
        to.receive(SEED + 1, to.sge(0, lengthBytes));
        from.post(Operation.SEND.request(SEED, from.sge(0, lengthBytes)));
        from.sent(SEED, VerbsStatus.SUCCESS);
        to.received(SEED + 1, VerbsStatus.SUCCESS);
        Pattern.expect(to.buffer(), 0, lengthBytes, SEED, "data received");
    }

    /**
     * Posts one request of {@code operation} with standard pieces: 8 bytes from or to the start of
     * the local buffer, aimed at {@code remoteAddress}.
     */
    static void post(Operation operation, Side from, long wrId, long remoteAddress, int rkey, Sge local) {
        from.post(operation.request(wrId, remoteAddress, rkey, List.of(local)));
    }
}
