package io.hyperverbs.lab.bench;

/** A round cannot be finished; its message goes to the toolstack. */
final class BenchFailure extends Exception {
    private static final long serialVersionUID = 1L;

    BenchFailure(String message) {
        super(message);
    }
}
