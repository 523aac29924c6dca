package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Waits until the disk is full. Makes and ends protection domains until the journal takes no more
 * of the first, then ends all it has; says so, waits for the disk, and makes one again.
 */
public final class DiskFiller {
    private static final int HELD = 20;
    private static final int MANY = 1_000_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private DiskFiller() {}

    public static void main(String[] args) throws Exception {
        Node node = new Node();
        var _ = node.hear("tool", "full");
        Deque<ProtectionDomain> made = new ArrayDeque<>();
        VerbsStatus refused = VerbsStatus.SUCCESS;
        for (int i = 0; i < MANY && refused == VerbsStatus.SUCCESS; i++) {
            try {
                made.add(node.context.allocatePd());
            } catch (VerbsException e) {
                refused = e.status();
            }
            if (made.size() > HELD) {
                made.remove().close();
            }
        }
        while (!made.isEmpty()) {
            made.remove().close();
        }
        node.tell("refused", refused.name());
        var _ = node.hear("tool", "room");
        // The journal looks for room a few times a second.
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!makesOne(node)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("refused though there is room");
            }
            Thread.yield();
        }
        System.out.println("goes on");
    }

    private static boolean makesOne(Node node) throws VerbsException {
        try {
            node.context.allocatePd().close();
            return true;
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOSPC) {
                throw e;
            }
            return false;
        }
    }
}
