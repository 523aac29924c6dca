package io.hyperverbs.upper.dsm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** An array of longs that all nodes share. Of each node one thread. */
public final class SharedLongs {
    private final SharedElements elements;

    SharedLongs(SharedElements elements) {
        this.elements = elements;
    }

    public int length() {
        return elements.length();
    }

    public long get(int index) {
        return elements.get(index);
    }

    public void set(int index, long value) {
        elements.set(index, value);
    }

    /** Reads {@code count} elements from {@code from} on; those of one minipage together, others one after another. */
    public void get(int from, long[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        elements.read(
                from,
                count,
                (first, done, some) -> MemorySegment.copy(
                        elements.elements(),
                        ValueLayout.JAVA_LONG,
                        (long) first * Long.BYTES,
                        into,
                        offset + done,
                        some));
    }

    /** Writes {@code count} elements; those of one minipage together, others one after another. */
    public void set(int from, long[] values, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, values.length);
        elements.write(
                from,
                count,
                (first, done, some) -> MemorySegment.copy(
                        values,
                        offset + done,
                        elements.elements(),
                        ValueLayout.JAVA_LONG,
                        (long) first * Long.BYTES,
                        some));
    }
}
