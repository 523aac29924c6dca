package io.hyperverbs.upper.ipoib.neighbour;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import org.jspecify.annotations.Nullable;

/** One entry of the table; its fields are the table's, but for the links, which are {@link NeighbourEntries}'. */
final class Neighbour {
    /** Packets that may wait for an address; Linux has the same. */
    static final int MAX_WAITING = 3;

    final IpAddress address;
    NeighbourState state = NeighbourState.ABSENT;

    /** Null until the first one came. */
    @Nullable
    HardwareAddress hardware;

    /** When it was confirmed, in REACHABLE; when the last solicitation ends, in INCOMPLETE and PROBE. */
    long timeNanos;

    /** Sent since it entered INCOMPLETE or PROBE. */
    int solicitations;

    /** Next of the same bucket. */
    @Nullable
    Neighbour next;

    /** Neighbours in the order of their last use. */
    @Nullable
    Neighbour newer;

    @Nullable
    Neighbour older;

    private final int[] waiting = new int[MAX_WAITING];
    private int waitingCount;

    Neighbour(IpAddress address) {
        this.address = address;
    }

    boolean isFull() {
        return waitingCount == MAX_WAITING;
    }

    boolean hasWaiting() {
        return waitingCount > 0;
    }

    /** Appends a packet; not if it {@link #isFull}. */
    void append(int packet) {
        waiting[waitingCount++] = packet;
    }

    /** Takes out the packet that has waited longest. */
    int removeOldest() {
        int packet = waiting[0];
        waitingCount--;
        System.arraycopy(waiting, 1, waiting, 0, waitingCount);
        return packet;
    }
}
