package io.hyperverbs.lab.mpi;

/** What was seen is not what MPI promises. */
final class Difference extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Difference(String message) {
        super(message);
    }

    static void expect(Object expected, Object seen, String what) {
        if (!expected.equals(seen)) {
            throw new Difference(what + ": expected " + expected + ", seen " + seen);
        }
    }
}
