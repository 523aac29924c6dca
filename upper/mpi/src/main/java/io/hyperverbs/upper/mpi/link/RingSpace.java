package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.mpi.frame.FrameLayout;

/**
 * Where the frames of one direction lie in the receiver's ring; both ends go through the same steps. Positions count
 * bytes since the beginning and do not wrap. A frame does not reach over the ring's end: the rest is left out then, and
 * the frame begins at the ring's start.
 *
 * <p>At the sender {@link #released} is what Bertozzi 2000 §4.2 calls RDMAmaxread, and {@link #position} its
 * WritePointer; at the receiver the position is the ReadPointer. One thread.
 */
final class RingSpace {
    private final int ringBytes;
    private long position;
    private long released;

    /**
     * @param ringBytes a power of two
     */
    RingSpace(int ringBytes) {
        if (Integer.bitCount(ringBytes) != 1 || ringBytes < 4 * FrameLayout.ALIGNMENT_BYTES) {
            throw new IllegalArgumentException("ring of " + ringBytes + " bytes");
        }
        this.ringBytes = ringBytes;
    }

    int ringBytes() {
        return ringBytes;
    }

    /** The longest frame: several of them fit, so that a sender goes on while the receiver reads. */
    int mostFrameBytes() {
        return ringBytes / 4;
    }

    /** Whether the next frame begins at the ring's start and leaves a rest out. */
    boolean wraps(int frameBytes) {
        return offset() + padded(frameBytes) > ringBytes;
    }

    /** Whether the receiver has read enough for a frame of that length. */
    boolean hasRoom(int frameBytes) {
        return end(frameBytes) - released <= ringBytes;
    }

    /** Takes the next frame's place; its offset in the ring. */
    int take(int frameBytes) {
        long end = end(frameBytes);
        position = end;
        return (int) ((end - padded(frameBytes)) & (ringBytes - 1));
    }

    /** Bytes taken since the beginning. */
    long position() {
        return position;
    }

    /** The receiver has read all up to there. A position that cannot be is the peer's mistake, and not taken. */
    void release(long upTo) {
        if (upTo > released && upTo <= position) {
            released = upTo;
        }
    }

    private long end(int frameBytes) {
        long start = wraps(frameBytes) ? position + ringBytes - offset() : position;
        return start + padded(frameBytes);
    }

    private int offset() {
        return (int) (position & (ringBytes - 1));
    }

    private static int padded(int bytes) {
        return (bytes + FrameLayout.ALIGNMENT_BYTES - 1) & -FrameLayout.ALIGNMENT_BYTES;
    }
}
