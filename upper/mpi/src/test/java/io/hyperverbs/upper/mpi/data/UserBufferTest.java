package io.hyperverbs.upper.mpi.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UserBufferTest {
    static Stream<Arguments> buffers() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder());
        return Stream.of(
                Arguments.of(new byte[10], ElementType.BYTE),
                Arguments.of(new char[10], ElementType.CHAR),
                Arguments.of(new short[10], ElementType.SHORT),
                Arguments.of(new int[10], ElementType.INT),
                Arguments.of(new long[10], ElementType.LONG),
                Arguments.of(new float[10], ElementType.FLOAT),
                Arguments.of(new double[10], ElementType.DOUBLE),
                Arguments.of(bytes.duplicate().limit(10).slice(), ElementType.BYTE),
                Arguments.of(bytes.asCharBuffer().limit(10).slice(), ElementType.CHAR),
                Arguments.of(bytes.asShortBuffer().limit(10).slice(), ElementType.SHORT),
                Arguments.of(bytes.asIntBuffer().limit(10).slice(), ElementType.INT),
                Arguments.of(bytes.asLongBuffer(), ElementType.LONG),
                Arguments.of(bytes.asFloatBuffer().limit(10).slice(), ElementType.FLOAT),
                Arguments.of(bytes.asDoubleBuffer(), ElementType.DOUBLE));
    }

    @ParameterizedTest
    @MethodSource("buffers")
    void allKindsOfBuffersAreBytes(Object buffer, ElementType type) throws MpiError {
        assertThat(UserBuffer.of(buffer, 10, type).byteSize()).isEqualTo(10L * type.bytes());
        assertThat(UserBuffer.part(buffer, 7, 3, type).byteSize()).isEqualTo(3L * type.bytes());
        assertRefused(ErrorClass.COUNT, () -> UserBuffer.of(buffer, 11, type));
        assertRefused(ErrorClass.COUNT, () -> UserBuffer.part(buffer, 8, 3, type));
    }

    private static void assertRefused(ErrorClass errorClass, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MpiError.class, error -> assertThat(error.errorClass()).isEqualTo(errorClass));
    }

    @Test
    void theBytesAreTheBuffersOwn() throws MpiError {
        int[] numbers = {1, 2, 3};
        ByteBuffer positioned = ByteBuffer.allocate(12).position(8);

        UserBuffer.part(numbers, 1, 1, ElementType.INT).set(ValueLayout.JAVA_INT_UNALIGNED, 0, 9);
        UserBuffer.of(positioned, 3, ElementType.INT).set(ValueLayout.JAVA_BYTE, 0, (byte) 7);

        assertThat(numbers).containsExactly(1, 9, 3);
        assertThat(positioned.get(0)).isEqualTo((byte) 7);
        assertThat(positioned.position()).isEqualTo(8);
    }

    @Test
    void whatIsNoBufferIsRefused() throws MpiError {
        assertRefused(ErrorClass.BUFFER, () -> UserBuffer.of("text", 1, ElementType.BYTE));
        assertRefused(ErrorClass.BUFFER, () -> UserBuffer.of(null, 1, ElementType.BYTE));
        assertRefused(ErrorClass.TYPE, () -> UserBuffer.of(new int[2], 1, ElementType.LONG));
        assertRefused(ErrorClass.COUNT, () -> UserBuffer.of(new int[2], -1, ElementType.INT));
        assertRefused(ErrorClass.COUNT, () -> UserBuffer.part(new int[2], -1, 1, ElementType.INT));
        assertThat(UserBuffer.of(null, 0, ElementType.INT).byteSize()).isZero();
        assertThat(UserBuffer.of(MemorySegment.ofArray(new byte[8]), 1, ElementType.LONG)
                        .byteSize())
                .isEqualTo(8);
    }
}
