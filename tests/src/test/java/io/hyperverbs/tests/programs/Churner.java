package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Makes and ends objects in so many rounds (first argument). With "strict" as second argument a
 * verb that fails ends it; without, what cannot be made is done without, and what cannot be ended
 * is tried again in the next round.
 */
public final class Churner {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Deque<VerbsObject> made = new ArrayDeque<>();
    private final Domain domain = Domain.current();
    private final MemorySegment buffer;

    private Churner() throws VerbsException {
        buffer = domain.memory().allocate(BUFFER_BYTES, 4096);
    }

    public static void main(String[] args) throws Exception {
        Churner churner = new Churner();
        int rounds = Integer.parseInt(args[0]);
        boolean strict = args.length > 1;
        for (int round = 0; round < rounds; round++) {
            try {
                churner.make();
            } catch (VerbsException e) {
                if (strict) {
                    throw e;
                }
            }
            churner.end(strict);
        }
        System.out.println(rounds + " rounds");
    }

    private <T extends VerbsObject> T noted(T object) {
        made.push(object);
        return object;
    }

    private void make() throws VerbsException {
        Context context = noted(domain.devices().getFirst().open());
        ProtectionDomain pd = noted(context.allocatePd());
        var _ = noted(pd.register(buffer, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        CompletionQueue cq = noted(context.createCq(16, null));
        var _ = noted(pd.createRc(QpLimits.of(8, 8), cq, cq));
    }

    private void end(boolean strict) throws VerbsException {
        for (int left = made.size(); left > 0; left--) {
            VerbsObject object = made.pop();
            try {
                object.close();
            } catch (VerbsException e) {
                if (strict) {
                    throw e;
                }
                made.addLast(object);
            }
        }
    }
}
