package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Completion events that the HCA posts into a UAR page, behind the doorbells of {@link UarLayout}; little-endian,
 * zero at first. What the guest writes is read by the HCA, and believed as far as it concerns that guest alone.
 *
 * <pre>
 *  byte   +0              +4
 *  1024 | tail          | lost          |  HCA: events posted, free-running; events for which there was no room
 *  1088 | wanted        | waiting       |  guest: 1 if events are to be posted; 1 while a thread sleeps on the tail
 *  1096 | head                          |  guest: events taken, free-running
 *  1152 | slot of entry 0 | entry 1 ... entry 511, HCA
 * </pre>
 *
 * Publishing: an entry is the doorbell slot of a completion queue; entries first, then the tail with release. After a
 * full fence the HCA looks at {@code waiting}, and wakes who sleeps on the tail (futex(2)); the guest sets it, then looks
 * at the tail, and sleeps while that is what it saw.
 */
public final class EventRingLayout {
    public static final int ENTRIES = 512;

    static final long TAIL_OFFSET = 1024;
    static final long LOST_OFFSET = 1028;
    static final long WANTED_OFFSET = 1088;
    static final long WAITING_OFFSET = 1092;
    static final long HEAD_OFFSET = 1096;
    static final long ENTRIES_OFFSET = 1152;

    private EventRingLayout() {}

    /** Offset of the word that the guest sleeps on. */
    public static long tailOffset(long page) {
        return page + TAIL_OFFSET;
    }

    private static long entry(long page, int index) {
        return page + ENTRIES_OFFSET + (index & (ENTRIES - 1)) * (long) Integer.BYTES;
    }

    /** HCA side: whether the guest wants events here. */
    public static boolean isWanted(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + WANTED_OFFSET) == 1;
    }

    /** HCA side: the events that the guest says it has taken. */
    public static int headAcquire(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + HEAD_OFFSET);
    }

    /** HCA side: writes an entry, which the tail publishes. */
    public static void write(MemorySegment memory, long page, int index, int slot) {
        memory.set(INT, entry(page, index), slot);
    }

    /** HCA side: how many events were lost. */
    public static void storeLost(MemorySegment memory, long page, int lost) {
        ORDERED_INT.setRelease(memory, page + LOST_OFFSET, lost);
    }

    /** HCA side: publishes what was written. @return whether the guest sleeps, or is about to */
    public static boolean publish(MemorySegment memory, long page, int tail) {
        ORDERED_INT.setRelease(memory, page + TAIL_OFFSET, tail);
        VarHandle.fullFence();
        return (int) ORDERED_INT.getAcquire(memory, page + WAITING_OFFSET) == 1;
    }

    /** Guest side: from now on events are to be posted here. */
    public static void want(MemorySegment memory, long page) {
        ORDERED_INT.setRelease(memory, page + WANTED_OFFSET, 1);
    }

    /** Guest side: whether a thread sleeps, or is about to. A full fence: a look at the tail may follow. */
    public static void waiting(MemorySegment memory, long page, boolean isWaiting) {
        ORDERED_INT.setVolatile(memory, page + WAITING_OFFSET, isWaiting ? 1 : 0);
        VarHandle.fullFence();
    }

    /** Guest side: how many events were posted. */
    public static int tailAcquire(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + TAIL_OFFSET);
    }

    /** Guest side: how many events were lost. */
    public static int lostAcquire(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getAcquire(memory, page + LOST_OFFSET);
    }

    /** Guest side: the slot in an entry before the tail. */
    public static int slot(MemorySegment memory, long page, int index) {
        return memory.get(INT, entry(page, index));
    }

    /** Guest side: entries before that one are free. */
    public static void storeHead(MemorySegment memory, long page, int head) {
        ORDERED_INT.setRelease(memory, page + HEAD_OFFSET, head);
    }
}
