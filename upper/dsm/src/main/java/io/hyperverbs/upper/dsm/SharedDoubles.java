package io.hyperverbs.upper.dsm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** An array of doubles that all nodes share. Of each node one thread. */
public final class SharedDoubles {
    private final SharedElements elements;

    SharedDoubles(SharedElements elements) {
        this.elements = elements;
    }

    public int length() {
        return elements.length();
    }

    public double get(int index) {
        return Double.longBitsToDouble(elements.get(index));
    }

    public void set(int index, double value) {
        elements.set(index, Double.doubleToRawLongBits(value));
    }

    /** Reads {@code count} elements from {@code from} on; those of one minipage together, others one after another. */
    public void get(int from, double[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        elements.read(
                from,
                count,
                (first, done, some) -> MemorySegment.copy(
                        elements.elements(),
                        ValueLayout.JAVA_DOUBLE,
                        (long) first * Double.BYTES,
                        into,
                        offset + done,
                        some));
    }

    /** Writes {@code count} elements; those of one minipage together, others one after another. */
    public void set(int from, double[] values, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, values.length);
        elements.write(
                from,
                count,
                (first, done, some) -> MemorySegment.copy(
                        values,
                        offset + done,
                        elements.elements(),
                        ValueLayout.JAVA_DOUBLE,
                        (long) first * Double.BYTES,
                        some));
    }
}
