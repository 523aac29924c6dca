package io.hyperverbs.hca.link;

/**
 * Slots by time, the earliest first, and of one time in the order they came: a binary heap in flat arrays. Engine
 * thread only; allocates nothing after construction.
 */
final class DelayLine {
    private final long[] timeNanos;
    private final long[] order = new long[PacketSlots.COUNT];
    private final int[] heap = new int[PacketSlots.COUNT];
    private int size;
    private long added;

    /**
     * @param timeNanos of each slot; not changed while the slot is in here
     */
    DelayLine(long[] timeNanos) {
        this.timeNanos = timeNanos;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first is due; there is one. */
    long firstNanos() {
        return timeNanos[heap[0]];
    }

    void add(int slot) {
        order[slot] = added++;
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / 2;
            if (!isBefore(slot, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = slot;
    }

    /** Takes the first; there is one. */
    int take() {
        int first = heap[0];
        int last = heap[--size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], last)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return first;
    }

    private boolean isBefore(int slot, int other) {
        long difference = timeNanos[slot] - timeNanos[other];
        return difference < 0 || (difference == 0 && order[slot] < order[other]);
    }
}
