package io.hyperverbs.backend.verbs;

import io.hyperverbs.vmm.hypercall.HypercallException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;

/** Takes back what a verb did before it failed, last step first. */
final class Undo {
    /** Takes one step back. */
    interface Step {
        void run() throws HypercallException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

    private final Deque<Step> steps = new ArrayDeque<>();

    /** {@code step} takes back what was done just now. */
    void push(Step step) {
        steps.push(step);
    }

    /** All of it; a step that fails does not keep the others from running. */
    void run() {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (HypercallException | RuntimeException | Error e) {
                LOG.error("a step of a failed verb was not taken back", e);
            }
        }
    }
}
