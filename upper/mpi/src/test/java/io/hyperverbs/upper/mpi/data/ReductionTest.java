package io.hyperverbs.upper.mpi.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReductionTest {
    @ParameterizedTest
    @CsvSource({
        "MAX, 5, -7, 5",
        "MIN, 5, -7, -7",
        "SUM, 5, -7, -2",
        "PROD, 5, -7, -35",
        "LAND, 5, 0, 0",
        "LAND, 5, -7, 1",
        "LOR, 0, 0, 0",
        "LOR, 0, 3, 1",
        "LXOR, 5, 3, 0",
        "LXOR, 5, 0, 1",
        "BAND, 12, 10, 8",
        "BOR, 12, 10, 14",
        "BXOR, 12, 10, 6"
    })
    void integersOfAllWidthsAreCombined(Reduction reduction, int one, int other, int expected) throws MpiError {
        byte[] bytes = {(byte) one};
        short[] shorts = {(short) one};
        int[] ints = {one};
        long[] longs = {one};

        reduction.into(
                MemorySegment.ofArray(bytes), MemorySegment.ofArray(new byte[] {(byte) other}), ElementType.BYTE);
        reduction.into(
                MemorySegment.ofArray(shorts), MemorySegment.ofArray(new short[] {(short) other}), ElementType.SHORT);
        reduction.into(MemorySegment.ofArray(ints), MemorySegment.ofArray(new int[] {other}), ElementType.INT);
        reduction.into(MemorySegment.ofArray(longs), MemorySegment.ofArray(new long[] {other}), ElementType.LONG);

        assertThat(bytes[0]).isEqualTo((byte) expected);
        assertThat(shorts[0]).isEqualTo((short) expected);
        assertThat(ints[0]).isEqualTo(expected);
        assertThat(longs[0]).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"MAX, 1.5, -2.25, 1.5", "MIN, 1.5, -2.25, -2.25", "SUM, 1.5, -2.25, -0.75", "PROD, 1.5, -2.5, -3.75"})
    void realsAreCombined(Reduction reduction, double one, double other, double expected) throws MpiError {
        float[] floats = {0, (float) one};
        double[] doubles = {0, one};

        reduction.into(
                MemorySegment.ofArray(floats),
                MemorySegment.ofArray(new float[] {0, (float) other}),
                ElementType.FLOAT);
        reduction.into(
                MemorySegment.ofArray(doubles), MemorySegment.ofArray(new double[] {0, other}), ElementType.DOUBLE);

        assertThat(floats).containsExactly(0, (float) expected);
        assertThat(doubles).containsExactly(0, expected);
    }

    @Test
    void sumsOfIntegersWrapAsTheirTypeDoes() throws MpiError {
        int[] sum = {Integer.MAX_VALUE};

        Reduction.SUM.into(MemorySegment.ofArray(sum), MemorySegment.ofArray(new int[] {1}), ElementType.INT);

        assertThat(sum).containsExactly(Integer.MIN_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"BAND, DOUBLE", "LXOR, FLOAT", "SUM, CHAR"})
    void whatIsNotDefinedIsRefused(Reduction reduction, ElementType type) {
        MemorySegment one = MemorySegment.ofArray(new byte[type.bytes()]);

        assertThatThrownBy(() -> reduction.check(type)).hasMessage(reduction + " is not defined for " + type);
        assertThatThrownBy(() -> reduction.into(one, one, type)).hasMessage(reduction + " is not defined for " + type);
    }
}
