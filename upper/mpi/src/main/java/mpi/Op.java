package mpi;

import io.hyperverbs.upper.mpi.data.Reduction;

/** How elements are combined: {@link MPI#SUM} and its like. Immutable. */
public final class Op {
    private final Reduction reduction;

    Op(Reduction reduction) {
        this.reduction = reduction;
    }

    Reduction reduction() {
        return reduction;
    }

    /** Whether the order of operands does not matter. */
    public boolean isCommutative() {
        return true;
    }

    @Override
    public String toString() {
        return "MPI_" + reduction;
    }
}
