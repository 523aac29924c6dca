package io.hyperverbs.upper.dsm.protocol;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** The locks that this node is home to: who holds each, and who waits, in the order of their requests. */
final class LockTable {
    /** The first holds the lock. */
    private final Map<Integer, Queue<Integer>> queues = new HashMap<>();

    private final ControlOutbox outbox;

    LockTable(ControlOutbox outbox) {
        this.outbox = outbox;
    }

    void request(int lock, int node) {
        Queue<Integer> queue = queues.computeIfAbsent(lock, _ -> new ArrayDeque<>());
        queue.add(node);
        if (queue.size() == 1) {
            grant(lock, node);
        }
    }

    void unlock(int lock, int node) {
        Queue<Integer> queue = queues.get(lock);
        if (queue == null || queue.peek() != node) {
            throw new DsmViolation("node " + node + " unlocked lock " + lock + ", which it does not hold");
        }
        queue.remove();
        if (queue.isEmpty()) {
            queues.remove(lock);
        } else {
            grant(lock, queue.element());
        }
    }

    private void grant(int lock, int node) {
        outbox.send(node, ControlMessage.of(ControlType.LOCK_GRANT, lock));
    }
}
