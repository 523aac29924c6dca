package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;

/** How to undo what a case has opened; what was opened last is undone first. For one thread. */
final class Opened {
    private final Deque<Step> steps = new ArrayDeque<>();
    private boolean hasFailed;

    /** Undoes one opening. */
    interface Step {
        void undo() throws VerbsException;
    }

    void add(Step step) {
        steps.push(step);
    }

    /** Whether something could not be undone. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Undoes everything; the first failure is thrown, the others are attached to it. */
    void undo() throws VerbsException {
        VerbsException first = null;
        while (!steps.isEmpty()) {
            try {
                steps.pop().undo();
            } catch (VerbsException failure) {
                hasFailed = true;
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
