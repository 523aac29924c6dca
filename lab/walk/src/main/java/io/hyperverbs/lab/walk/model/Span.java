package io.hyperverbs.lab.walk.model;

import org.jspecify.annotations.Nullable;

/**
 * A place with what its key meant when the request was posted.
 *
 * @param key null for a key that is nobody's
 * @param offset in the memory of all domains
 */
record Span(@Nullable Key key, long offset, int length) {
    /** Nothing is looked at where there are no bytes. */
    boolean serves(ModelPd pd, int rights) {
        return length == 0 || (key != null && key.serves(pd, offset, length, rights));
    }

    /** As many of its first bytes as the key serves. */
    Span served(ModelPd pd, int rights) {
        int served = 0;
        int refused = length + 1;
        while (refused - served > 1) {
            int middle = served + (refused - served) / 2;
            if (first(middle).serves(pd, rights)) {
                served = middle;
            } else {
                refused = middle;
            }
        }
        return first(served);
    }

    /** Whether a peer of {@code through} may reach it. */
    boolean isOpen(ModelQp through, int right) {
        return length == 0 || (key != null && key.opens(through, offset, length, right));
    }

    boolean overlaps(Span other) {
        return length > 0 && other.length > 0 && offset < other.offset + other.length && other.offset < offset + length;
    }

    Span first(int bytes) {
        return new Span(key, offset, Math.min(length, bytes));
    }
}
