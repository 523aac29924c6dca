package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** Memory, registered, and one completion queue, which is polled without yielding. */
final class Site {
    static final Set<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    // A yield beside a neighbour that never yields gives away a whole slice of the scheduler.
    private static final int SPINS = 4096;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    final Context context;
    final ProtectionDomain pd;
    final MemorySegment memory;
    final MemoryRegion region;
    final CompletionQueue cq;
    private final WorkCompletion[] one = {new WorkCompletion()};

    Site(Home home, long bytes, int cqEntries) throws VerbsException {
        context = home.context();
        pd = context.allocatePd();
        memory = home.domain().memory().allocate(bytes, 4096);
        region = pd.register(memory, RIGHTS);
        cq = context.createCq(cqEntries, null);
    }

    /** The next completion if it is there; else null. */
    boolean poll() {
        return cq.poll(one) > 0;
    }

    /** The completion polled last. */
    WorkCompletion completion() {
        return one[0];
    }

    /** Waits for the next completion, which has to be a success. */
    void await() throws VerbsException {
        int empty = 0;
        long giveUp = 0;
        while (!poll()) {
            if (++empty < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            empty = 0;
            Thread.yield();
            long now = System.nanoTime();
            giveUp = giveUp == 0 ? now + PATIENCE_NANOS : giveUp;
            if (now - giveUp > 0) {
                throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion within 20 s");
            }
        }
        check(one[0].status(), "completion");
    }

    static void check(VerbsStatus status, String what) throws VerbsException {
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, what);
        }
    }
}
