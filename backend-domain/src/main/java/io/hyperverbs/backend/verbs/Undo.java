package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Leftovers;
import java.util.ArrayDeque;
import java.util.Deque;

/** Takes back what a verb did before it failed, last step first. */
final class Undo {
    private final Leftovers leftovers;
    private final Deque<Leftovers.Step> steps = new ArrayDeque<>();

    /** {@code leftovers} keep the steps that cannot be taken at the moment. */
    Undo(Leftovers leftovers) {
        this.leftovers = leftovers;
    }

    /** {@code step} takes back what was done just now. */
    void push(Leftovers.Step step) {
        steps.push(step);
    }

    /** What was done so far stays: the HCA has gone on from it. */
    void settle() {
        steps.clear();
    }

    /** Whether there is anything that could be taken back; not so after an end or a change. */
    boolean isPossible() {
        return !steps.isEmpty();
    }

    /** All of it; a step that fails does not keep the others from running. */
    void run() {
        while (!steps.isEmpty()) {
            leftovers.run(steps.pop());
        }
    }
}
