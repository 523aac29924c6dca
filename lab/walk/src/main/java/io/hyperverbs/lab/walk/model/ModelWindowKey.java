package io.hyperverbs.lab.walk.model;

/**
 * A key that a window has, had, or will have.
 *
 * @param tag counted from the one it began with, 0 to 255
 */
public record ModelWindowKey(ModelWindow window, int tag) implements Key {
    private static final int TAG_MASK = 0xff;

    /**
     * The number, from that of the key that the window began with.
     *
     * @param first {@code rkey} when it was allocated
     */
    public int number(int first) {
        return (first & ~TAG_MASK) | (first + tag & TAG_MASK);
    }

    @Override
    public boolean serves(ModelPd of, long at, long bytes, int rights) {
        return false;
    }

    @Override
    public boolean opens(ModelQp through, long at, long bytes, int right) {
        return window.isBoundTo(tag) && window.opens(through, at, bytes, right);
    }

    /** Whether a request that comes to, or is posted to, {@code through} may end it. */
    boolean isEndedBy(ModelQp through) {
        return window.isBoundTo(tag) && window.isOf(through);
    }
}
