package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.ArrayList;
import java.util.List;

/** Takes completions from a queue with a deadline. For one thread. */
public final class Completions {
    private final CompletionQueue cq;
    private final String name;

    public Completions(CompletionQueue cq, String name) {
        this.cq = cq;
        this.name = name;
    }

    public CompletionQueue cq() {
        return cq;
    }

    /** The next completion; fails if none comes in time. */
    public WorkCompletion next() {
        WorkCompletion[] one = {new WorkCompletion()};
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        long startNanos = System.nanoTime();
        while (cq.poll(one) == 0) {
            if (System.nanoTime() - startNanos > Side.PATIENCE.toNanos()) {
                throw new AssertionError(name + ": no completion within " + Side.PATIENCE.toSeconds() + " s");
            }
            waiting.idleOrNap();
        }
        return one[0];
    }

    /** The next completion, which must be this one of that queue pair. */
    public WorkCompletion next(int qpn, long wrId, VerbsStatus status) {
        WorkCompletion found = next();
        Expect.isTrue(
                found.wrId() == wrId && found.status() == status,
                name + " has " + found + ", must be wr_id=" + wrId + " " + status);
        Expect.equal(qpn, found.qpn(), name + ": QPN of the completion");
        return found;
    }

    /** The next {@code count} completions. */
    public List<WorkCompletion> next(int count) {
        List<WorkCompletion> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(next());
        }
        return all;
    }

    /** One poll must find nothing. Says nothing about what is under way. */
    public void pollsEmpty() {
        WorkCompletion[] one = {new WorkCompletion()};
        int found = cq.poll(one);
        Expect.isTrue(found == 0, name + " holds " + one[0] + ", must be empty");
    }
}
