package io.hyperverbs.toolstack.walk.model;

import org.jspecify.annotations.Nullable;

/**
 * A place with the region that its key meant when the request was posted.
 *
 * @param region null for a key that no region has
 * @param offset in the memory of all domains
 */
record Span(@Nullable ModelRegion region, long offset, int length) {
    /** Nothing is looked at where there are no bytes. */
    boolean serves(ModelPd pd, int rights) {
        return length == 0 || (region != null && region.serves(pd, offset, length, rights));
    }

    boolean overlaps(Span other) {
        return length > 0
                && other.length > 0
                && offset < other.offset + other.length
                && other.offset < offset + length;
    }

    Span first(int bytes) {
        return new Span(region, offset, Math.min(length, bytes));
    }
}
