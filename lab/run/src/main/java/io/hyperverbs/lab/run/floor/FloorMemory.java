package io.hyperverbs.lab.run.floor;

import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What the processes of a floor share; zero at first. Two parties, 0 and 1, ask an engine for copies to the other one.
 *
 * <pre>
 *  byte                 in pages of 4096 bytes
 *     0 | phase       |                 requester: number of a {@link Phase}
 *  4096 + 8192 * party:
 *    +0 | request     | length          party: number of the copy that it asks for; its bytes
 *   +64 | answer      |                 engine: number of the last copy it has done for the party
 *  +128 | arrived     |                 engine: number of the last copy that came to the party
 *  +192 | woken       | -      | time   engine: number of the last copy for which it has woken the party; when, 64 bits
 *  to 32768: what {@link FloorRing} has
 *  65536 + 16 MiB * party: what the party sends, 8 MiB; what comes to it, 8 MiB
 * </pre>
 *
 * A word is published with release after what it stands for, as producer and consumer indexes of rings are.
 */
final class FloorMemory {
    static final int MOST_BYTES = 8 << 20;
    static final int PARTIES = 2;
    static final long SIZE_BYTES = 65536 + 2L * PARTIES * MOST_BYTES;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long PARTY_OFFSET = 4096;
    private static final long PARTY_STRIDE = 8192;
    private static final long LENGTH = 4;
    private static final long ANSWER = 64;
    private static final long ARRIVED = 128;
    private static final long WOKEN = 192;
    private static final long WOKEN_AT = 200;
    private static final long PAYLOAD_OFFSET = 65536;

    private final MemorySegment memory;
    private final Futex phase;

    /** {@code memory}: at least {@link #SIZE_BYTES}, native, at a page. */
    FloorMemory(MemorySegment memory) {
        this.memory = memory;
        this.phase = new Futex(memory, 0);
    }

    /** Where the words of a party begin. */
    static long line(int party) {
        return PARTY_OFFSET + party * PARTY_STRIDE;
    }

    private int load(long offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    private void store(long offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    Phase phase() {
        return Phase.of(load(0));
    }

    /** Begins a phase; who slept through the one before wakes. */
    void begin(Phase next) {
        store(0, next.number());
        phase.wake();
    }

    /** Sleeps through a phase, or a part of it. */
    void sleepThrough(Phase current, long nanos) {
        phase.await(current.number(), nanos);
    }

    int requests(int party) {
        return load(line(party));
    }

    /** Asks for a copy to the other party. */
    void request(int party, int number, int bytes) {
        memory.set(ValueLayout.JAVA_INT, line(party) + LENGTH, bytes);
        store(line(party), number);
    }

    int answers(int party) {
        return load(line(party) + ANSWER);
    }

    int arrivals(int party) {
        return load(line(party) + ARRIVED);
    }

    /** Bytes of what arrived last. */
    int arrivedBytes(int party) {
        return memory.get(ValueLayout.JAVA_INT, line(1 - party) + LENGTH);
    }

    /** Engine: does the last copy that a party has asked for, and says so to both. */
    void serve(int party, int number) {
        int bytes = memory.get(ValueLayout.JAVA_INT, line(party) + LENGTH);
        copy(party, bytes);
        store(line(1 - party) + ARRIVED, number);
        store(line(party) + ANSWER, number);
    }

    /** Where what the party sends begins. */
    static long sent(int party) {
        return PAYLOAD_OFFSET + 2L * MOST_BYTES * party;
    }

    /** Where what comes to the party begins. */
    static long received(int party) {
        return sent(party) + MOST_BYTES;
    }

    /** Copies what a party sends to the other one. */
    void copy(int party, int bytes) {
        MemorySegment.copy(memory, sent(party), memory, received(1 - party), bytes);
    }

    /** The copies that a party asks for in batches. */
    FloorRing ring(int party) {
        return new FloorRing(memory, party);
    }

    /** The last copy for which the party was woken. */
    int wakes(int party) {
        return load(line(party) + WOKEN);
    }

    /** A word of its own on which a party sleeps. */
    Futex futex(int party) {
        return new Futex(memory, line(party) + WOKEN);
    }

    /** When that was, by {@link System#nanoTime}, which all processes of a computer share. */
    long wokenAtNanos(int party) {
        return memory.get(ValueLayout.JAVA_LONG, line(party) + WOKEN_AT);
    }

    /** Engine: wakes a party for a copy. */
    void wake(int party, Futex futex, int number) {
        memory.set(ValueLayout.JAVA_LONG, line(party) + WOKEN_AT, System.nanoTime());
        store(line(party) + WOKEN, number);
        futex.wake();
    }
}
