package io.hyperverbs.frontend.tree;

import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The stages of a creation that are done, to be taken back in reverse if a later one fails. One
 * thread.
 *
 * <pre>{@code
 * try (Undo undo = new Undo()) {
 *   RingMemory ring = path.takeRing(bytes);
 *   undo.add(ring::release);
 *   ...
 *   undo.keep();
 * }
 * }</pre>
 */
public final class Rollback implements AutoCloseable {
    /** Takes one stage back. */
    @FunctionalInterface
    public interface Step {
        void run() throws VerbsException;
    }

    private final Deque<Step> steps = new ArrayDeque<>();

    /** How to take back what was just done. */
    public void add(Step step) {
        steps.push(step);
    }

    /** All stages are done. */
    public void keep() {
        steps.clear();
    }

    /** Takes back all stages, unless they were kept. The failure that led here is what counts. */
    @Override
    public void close() {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (VerbsException _) {
                // The session's end takes back what could not be taken back here.
            }
        }
    }
}
