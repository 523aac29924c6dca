package io.hyperverbs.upper.dsm;

import io.hyperverbs.upper.dsm.node.ArrayPlace;
import io.hyperverbs.upper.dsm.node.DsmNode;
import io.hyperverbs.upper.dsm.protocol.CopyStates;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Elements of eight bytes in shared memory. Each access is checked here, as Java cannot trap a store: the check asks for
 * the state of the element's minipage, and faults if it does not allow the access.
 */
final class SharedElements {
    private static final int ELEMENT_BYTES = Long.BYTES;
    private static final OfLong ELEMENT = ValueLayout.JAVA_LONG;
    private static final VarHandle ELEMENTS = ELEMENT.arrayElementVarHandle();

    private final DsmNode node;
    private final CopyStates states;
    private final MemorySegment elements;
    private final int firstMinipage;
    private final int length;
    private final int perMinipage;
    private final int shift;

    /** What is done with some elements of one minipage. */
    @FunctionalInterface
    interface Part {
        /**
         * @param from the first element, in the array
         * @param done how many elements of the whole access are before it
         */
        void access(int from, int done, int count);
    }

    SharedElements(DsmNode node, ArrayPlace place, int length, int perMinipage) {
        this.node = node;
        this.states = node.states();
        this.elements = node.memory().asSlice(place.offsetBytes(), (long) length * ELEMENT_BYTES);
        this.firstMinipage = place.firstMinipage();
        this.length = length;
        this.perMinipage = perMinipage;
        this.shift = Integer.numberOfTrailingZeros(perMinipage);
    }

    int length() {
        return length;
    }

    MemorySegment elements() {
        return elements;
    }

    long get(int index) {
        Objects.checkIndex(index, length);
        int minipage = firstMinipage + (index >> shift);
        if (states.mayRead(minipage)) {
            return load(index);
        }
        node.fault(minipage, false);
        long value = load(index);
        node.done(minipage);
        return value;
    }

    void set(int index, long value) {
        Objects.checkIndex(index, length);
        int minipage = firstMinipage + (index >> shift);
        if (states.beginStore(minipage)) {
            store(index, value);
            states.endStore();
            return;
        }
        node.fault(minipage, true);
        store(index, value);
        node.done(minipage);
    }

    private long load(int index) {
        return (long) ELEMENTS.getAcquire(elements, 0L, (long) index);
    }

    private void store(int index, long value) {
        ELEMENTS.setRelease(elements, 0L, (long) index, value);
    }

    /** Reads elements, minipage by minipage. */
    void read(int from, int count, Part part) {
        Objects.checkFromIndexSize(from, count, length);
        for (int done = 0; done < count; ) {
            int some = inMinipage(from + done, count - done);
            int minipage = firstMinipage + ((from + done) >> shift);
            if (states.mayRead(minipage)) {
                part.access(from + done, done, some);
            } else {
                node.fault(minipage, false);
                part.access(from + done, done, some);
                node.done(minipage);
            }
            // The next part is not read before this one.
            VarHandle.acquireFence();
            done += some;
        }
    }

    /** Writes elements, minipage by minipage. */
    void write(int from, int count, Part part) {
        Objects.checkFromIndexSize(from, count, length);
        for (int done = 0; done < count; ) {
            int some = inMinipage(from + done, count - done);
            int minipage = firstMinipage + ((from + done) >> shift);
            VarHandle.releaseFence();
            if (states.beginStore(minipage)) {
                try {
                    part.access(from + done, done, some);
                } finally {
                    states.endStore();
                }
            } else {
                node.fault(minipage, true);
                part.access(from + done, done, some);
                node.done(minipage);
            }
            done += some;
        }
    }

    private int inMinipage(int index, int most) {
        return Math.min(most, perMinipage - (index & (perMinipage - 1)));
    }
}
