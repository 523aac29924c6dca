package io.hyperverbs.lab.run.floor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies that a party asks for in batches, in the memory of {@link FloorMemory}; zero at first. Numbers count copies and
 * wrap.
 *
 * <pre>
 *   4096 + 8192 * party:
 *   +256 | asked      party: copies that it has asked for
 *   +320 | done       engine: those that it has done
 *   +384 | arrived    engine: messages that came to the other party
 *   +448 | taken      the other party: those that it has taken
 *  24576 + 4096 * party: lengths in bytes of {@link #ENTRIES} copies, from which a ring is made
 * </pre>
 *
 * A number is published with release after what it stands for.
 */
final class FloorRing {
    /** A power of two. */
    static final int ENTRIES = 1024;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long ENTRIES_OFFSET = 24_576;

    private final MemorySegment memory;
    private final long entries;
    private final long asked;
    private final long done;
    private final long arrived;
    private final long taken;

    /** The ring of a party. */
    FloorRing(MemorySegment memory, int party) {
        this.memory = memory;
        this.entries = ENTRIES_OFFSET + (long) party * ENTRIES * Integer.BYTES;
        long line = FloorMemory.line(party);
        this.asked = line + 256;
        this.done = line + 320;
        this.arrived = line + 384;
        this.taken = line + 448;
    }

    private int load(long offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    private void store(long offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    private long entry(int number) {
        return entries + (long) (number & (ENTRIES - 1)) * Integer.BYTES;
    }

    void setBytes(int number, int bytes) {
        memory.set(ValueLayout.JAVA_INT, entry(number), bytes);
    }

    int bytes(int number) {
        return memory.get(ValueLayout.JAVA_INT, entry(number));
    }

    int asked() {
        return load(asked);
    }

    void publishAsked(int count) {
        store(asked, count);
    }

    int done() {
        return load(done);
    }

    void publishDone(int count) {
        store(done, count);
    }

    int arrived() {
        return load(arrived);
    }

    void publishArrived(int count) {
        store(arrived, count);
    }

    int taken() {
        return load(taken);
    }

    void publishTaken(int count) {
        store(taken, count);
    }
}
