package io.hyperverbs.lab.bench;

/** A round cannot be finished; its message goes to the toolstack. */
public final class BenchFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchFailure(String message) {
        super(message);
    }
}
