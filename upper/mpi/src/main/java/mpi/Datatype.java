package mpi;

import io.hyperverbs.upper.mpi.data.ElementType;

/** The type of a buffer's elements: {@link MPI#INT} and its like. Immutable. */
public final class Datatype {
    private final ElementType type;

    Datatype(ElementType type) {
        this.type = type;
    }

    ElementType type() {
        return type;
    }

    /** Bytes of an element. */
    public int getSize() {
        return type.bytes();
    }

    /** Bytes from one element to the next. */
    public int getExtent() {
        return type.bytes();
    }

    public String getName() {
        return "MPI_" + type;
    }

    @Override
    public String toString() {
        return getName();
    }
}
