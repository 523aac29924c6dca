package io.hyperverbs.upper.mpi.data;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operations that combine elements (MPI 3.1 §5.9.2); all are associative and commutative. Integers are combined as long
 * and cut, which gives the same as in their own type; so do floats as double, whose sum or product of two is rounded
 * once more.
 */
// The operators are lambdas without state.
@SuppressWarnings("ImmutableEnumChecker")
public enum Reduction {
    MAX(Math::max, Math::max),
    MIN(Math::min, Math::min),
    SUM(Long::sum, Double::sum),
    PROD((a, b) -> a * b, (a, b) -> a * b),
    LAND((a, b) -> a != 0 && b != 0 ? 1 : 0, null),
    LOR((a, b) -> a != 0 || b != 0 ? 1 : 0, null),
    LXOR((a, b) -> a != 0 ^ b != 0 ? 1 : 0, null),
    BAND((a, b) -> a & b, null),
    BOR((a, b) -> a | b, null),
    BXOR((a, b) -> a ^ b, null);

    private final LongBinaryOperator integers;
    private final @Nullable DoubleBinaryOperator reals;

    Reduction(LongBinaryOperator integers, @Nullable DoubleBinaryOperator reals) {
        this.integers = integers;
        this.reals = reals;
    }

    /**
     * @throws MpiError OP if it is not defined for the type
     */
    public void check(ElementType type) throws MpiError {
        boolean isReal = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        if (type == ElementType.CHAR || (isReal && reals == null)) {
            throw undefined(type);
        }
    }

    /**
     * Combines each element of {@code other} into the one of {@code result} at its place.
     *
     * @throws MpiError OP if it is not defined for the type
     */
    public void into(MemorySegment result, MemorySegment other, ElementType type) throws MpiError {
        long count = result.byteSize() / type.bytes();
        switch (type) {
            case BYTE -> bytes(result, other, count);
            case CHAR -> throw undefined(type);
            case SHORT -> shorts(result, other, count);
            case INT -> ints(result, other, count);
            case LONG -> longs(result, other, count);
            case FLOAT -> floats(result, other, count, defined(type));
            case DOUBLE -> doubles(result, other, count, defined(type));
        }
    }

    private DoubleBinaryOperator defined(ElementType type) throws MpiError {
        if (reals == null) {
            throw undefined(type);
        }
        return reals;
    }

    private MpiError undefined(ElementType type) {
        return new MpiError(ErrorClass.OP, this + " is not defined for " + type);
    }

    private void bytes(MemorySegment result, MemorySegment other, long count) {
        ValueLayout.OfByte at = ValueLayout.JAVA_BYTE;
        for (long i = 0; i < count; i++) {
            result.set(at, i, (byte) integers.applyAsLong(result.get(at, i), other.get(at, i)));
        }
    }

    private void shorts(MemorySegment result, MemorySegment other, long count) {
        ValueLayout.OfShort at = ValueLayout.JAVA_SHORT_UNALIGNED;
        for (long i = 0; i < count; i++) {
            long value = integers.applyAsLong(result.getAtIndex(at, i), other.getAtIndex(at, i));
            result.setAtIndex(at, i, (short) value);
        }
    }

    private void ints(MemorySegment result, MemorySegment other, long count) {
        ValueLayout.OfInt at = ValueLayout.JAVA_INT_UNALIGNED;
        for (long i = 0; i < count; i++) {
            long value = integers.applyAsLong(result.getAtIndex(at, i), other.getAtIndex(at, i));
            result.setAtIndex(at, i, (int) value);
        }
    }

    private void longs(MemorySegment result, MemorySegment other, long count) {
        ValueLayout.OfLong at = ValueLayout.JAVA_LONG_UNALIGNED;
        for (long i = 0; i < count; i++) {
            result.setAtIndex(at, i, integers.applyAsLong(result.getAtIndex(at, i), other.getAtIndex(at, i)));
        }
    }

    private static void floats(MemorySegment result, MemorySegment other, long count, DoubleBinaryOperator operator) {
        ValueLayout.OfFloat at = ValueLayout.JAVA_FLOAT_UNALIGNED;
        for (long i = 0; i < count; i++) {
            double value = operator.applyAsDouble(result.getAtIndex(at, i), other.getAtIndex(at, i));
            result.setAtIndex(at, i, (float) value);
        }
    }

    private static void doubles(MemorySegment result, MemorySegment other, long count, DoubleBinaryOperator operator) {
        ValueLayout.OfDouble at = ValueLayout.JAVA_DOUBLE_UNALIGNED;
        for (long i = 0; i < count; i++) {
            result.setAtIndex(at, i, operator.applyAsDouble(result.getAtIndex(at, i), other.getAtIndex(at, i)));
        }
    }
}
