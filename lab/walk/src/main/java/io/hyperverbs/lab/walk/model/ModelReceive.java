package io.hyperverbs.lab.walk.model;

import java.util.List;

/** A posted receive. */
record ModelReceive(long wrId, List<Span> pieces) {
    long lengthBytes() {
        return pieces.stream().mapToLong(Span::length).sum();
    }
}
