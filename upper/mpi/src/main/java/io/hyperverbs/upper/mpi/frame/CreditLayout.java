package io.hyperverbs.upper.mpi.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What a receiver tells a sender of its ring: 16 bytes behind the ring for the other direction, 64-byte aligned,
 * little-endian. Written by the receiver's HCA, read by the sender.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | readPosition                  |  bytes of the ring read since the beginning (RDMAmaxread)
 *    8  | receives                      |  receives posted since the beginning (descLeft follows from it)
 * </pre>
 *
 * Publishing: none; each field grows alone, and an old one only makes the sender wait (Bertozzi 2000 §4.2).
 */
public final class CreditLayout {
    public static final int SIZE_BYTES = 16;

    /** So that it has a cache line of its own. */
    public static final int ROOM_BYTES = 64;

    static final long READ_POSITION_OFFSET = 0;
    static final long RECEIVES_OFFSET = 8;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    private static final VarHandle ORDERED_LONG = LONG.varHandle().withInvokeExactBehavior();

    private CreditLayout() {}

    public static void write(MemorySegment memory, long credits, long readPosition, long receives) {
        memory.set(LONG, credits + READ_POSITION_OFFSET, readPosition);
        memory.set(LONG, credits + RECEIVES_OFFSET, receives);
    }

    public static long readPositionAcquire(MemorySegment memory, long credits) {
        return (long) ORDERED_LONG.getAcquire(memory, credits + READ_POSITION_OFFSET);
    }

    public static long receivesAcquire(MemorySegment memory, long credits) {
        return (long) ORDERED_LONG.getAcquire(memory, credits + RECEIVES_OFFSET);
    }
}
