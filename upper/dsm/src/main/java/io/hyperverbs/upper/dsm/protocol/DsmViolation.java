package io.hyperverbs.upper.dsm.protocol;

/** A node sent what no node may send; the run cannot go on. */
public final class DsmViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DsmViolation(String message) {
        super(message);
    }
}
