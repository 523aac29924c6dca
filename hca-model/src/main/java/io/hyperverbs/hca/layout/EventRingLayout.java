package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Events that the HCA posts into a UAR page, behind the doorbells of {@link UarLayout}: two rings alike, of completion
 * events and of asynchronous events; little-endian, zero at first. What the guest writes is read by the HCA, and
 * believed as far as it concerns that guest alone.
 *
 * <pre>
 *  byte   +0              +4
 *  1024 | tail          |               |  HCA: completion events posted, free-running
 *  1088 | wanted        | waiting       |  guest: 1 if events are to be posted; 1 while a thread sleeps on the tail
 *  1096 | head                          |  guest: events taken, free-running
 *  1152 | slot of entry 0 | entry 1 ... entry 511, HCA: doorbell slot of a completion queue
 *  3200 | tail          |               |  as 1024, of asynchronous events
 *  3264 | wanted        | waiting       |
 *  3272 | head                          |
 *  3328 | number and type of entry 0 | entry 1 ... entry 127, HCA: bits 0-23 the object's number, bits 24-31 the code of
 *       |                                 {@code AsyncEvent.Type}
 * </pre>
 *
 * Publishing: entries first, then the tail with release. After a full fence the HCA looks at {@code waiting}, and wakes
 * who sleeps on the tail (futex(2)); the guest sets it, then looks at the tail, and sleeps while that is what it saw.
 */
public enum EventRingLayout {
    COMPLETIONS(1024, 512),
    ASYNCS(3200, 128);

    private static final long WANTED_OFFSET = 64;
    private static final long WAITING_OFFSET = 68;
    private static final long HEAD_OFFSET = 72;
    private static final long ENTRIES_OFFSET = 128;

    private static final int CODE_SHIFT = 24;
    private static final int NUMBER_MASK = (1 << CODE_SHIFT) - 1;

    // The tail is first.
    private final long offset;
    private final int entries;

    EventRingLayout(long offset, int entries) {
        this.offset = offset;
        this.entries = entries;
    }

    /** Events that it holds, a power of two. */
    public int entries() {
        return entries;
    }

    /** Offset of the word that the guest sleeps on. */
    public long tailOffset(long page) {
        return page + offset;
    }

    private long entryOffset(long page, int index) {
        return page + offset + ENTRIES_OFFSET + (index & (entries - 1)) * (long) Integer.BYTES;
    }

    /** An entry of {@link #ASYNCS}. */
    public static int async(int code, int number) {
        return (code << CODE_SHIFT) | (number & NUMBER_MASK);
    }

    /** The type's code in such an entry. */
    public static int asyncCode(int entry) {
        return entry >>> CODE_SHIFT;
    }

    /** The object's number in such an entry. */
    public static int asyncNumber(int entry) {
        return entry & NUMBER_MASK;
    }

    /** HCA side: whether the guest wants events here. */
    public boolean isWanted(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + offset + WANTED_OFFSET) == 1;
    }

    /** HCA side: the events that the guest says it has taken. */
    public int headAcquire(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + offset + HEAD_OFFSET);
    }

    /** HCA side: writes an entry, which the tail publishes. */
    public void write(MemorySegment memory, long page, int index, int entry) {
        memory.set(INT, entryOffset(page, index), entry);
    }

    /** HCA side: publishes what was written. @return whether the guest sleeps, or is about to */
    public boolean publish(MemorySegment memory, long page, int tail) {
        ORDERED_INT.setRelease(memory, page + offset, tail);
        VarHandle.fullFence();
        return (int) ORDERED_INT.getAcquire(memory, page + offset + WAITING_OFFSET) == 1;
    }

    /** Guest side: from now on events are to be posted here. */
    public void want(MemorySegment memory, long page) {
        ORDERED_INT.setRelease(memory, page + offset + WANTED_OFFSET, 1);
    }

    /** Guest side: whether a thread sleeps, or is about to. A full fence: a look at the tail may follow. */
    public void waiting(MemorySegment memory, long page, boolean isWaiting) {
        ORDERED_INT.setVolatile(memory, page + offset + WAITING_OFFSET, isWaiting ? 1 : 0);
        VarHandle.fullFence();
    }

    /** Guest side: how many events were posted. */
    public int tailAcquire(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + offset);
    }

    /** Guest side: an entry before the tail. */
    public int entry(MemorySegment memory, long page, int index) {
        return memory.get(INT, entryOffset(page, index));
    }

    /** Guest side: entries before that one are free. */
    public void storeHead(MemorySegment memory, long page, int head) {
        ORDERED_INT.setRelease(memory, page + offset + HEAD_OFFSET, head);
    }
}
