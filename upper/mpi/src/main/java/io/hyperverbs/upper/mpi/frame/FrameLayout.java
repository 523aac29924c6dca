package io.hyperverbs.upper.mpi.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A frame in a receiver's ring: a header of 32 bytes and its payload; begins at a multiple of 64 bytes, little-endian.
 * Written by the sender's HCA, read by the receiver.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | kind          | context       |  {@link FrameType}; the communicator
 *    8  | tag           | rkey          |  rkey: REQUEST_TO_SEND, 0 if its memory cannot be read; CLEAR_TO_WRITE
 *   16  | bytes                         |  of the whole message; DATA: offset of its part
 *         CLEAR_TO_SEND, CLEAR_TO_WRITE: the receiver's request
 *   24  | request                       |  REQUEST_TO_SEND: the sender's; else that of who is addressed
 *   32  | payload ...                   |  REQUEST_TO_SEND: the address of the message in the sender's memory
 *   40  |                               |  CLEAR_TO_WRITE: address and length of the place in the receiver's
 * </pre>
 *
 * Publishing: the frame is complete when its immediate data has arrived. That is the length of header and payload in
 * bytes, negative for the first frame after the sender began at the ring's start again (Bertozzi 2000 §4.2).
 */
public final class FrameLayout {
    public static final int HEADER_BYTES = 32;

    /** Where frames may begin. */
    public static final int ALIGNMENT_BYTES = 64;

    /** Header and address of REQUEST_TO_SEND. */
    public static final int ADDRESSED_BYTES = HEADER_BYTES + Long.BYTES;

    /** Header, address and length of CLEAR_TO_WRITE. */
    public static final int PLACED_BYTES = ADDRESSED_BYTES + Long.BYTES;

    static final long KIND_OFFSET = 0;
    static final long CONTEXT_OFFSET = 4;
    static final long TAG_OFFSET = 8;
    static final long RKEY_OFFSET = 12;
    static final long BYTES_OFFSET = 16;
    static final long REQUEST_OFFSET = 24;
    static final long ADDRESS_OFFSET = 32;
    static final long LENGTH_OFFSET = 40;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private FrameLayout() {}

    /** Copies a header into a ring at {@code frame}, a byte offset. */
    public static void write(MemorySegment ring, long frame, FrameHeader header) {
        ring.set(INT, frame + KIND_OFFSET, header.kind().number());
        ring.set(INT, frame + CONTEXT_OFFSET, header.context());
        ring.set(INT, frame + TAG_OFFSET, header.tag());
        ring.set(INT, frame + RKEY_OFFSET, header.rkey());
        ring.set(LONG, frame + BYTES_OFFSET, header.bytes());
        ring.set(LONG, frame + REQUEST_OFFSET, header.request());
    }

    /** The payload of REQUEST_TO_SEND. */
    public static MemorySegment addressPayload(long address) {
        MemorySegment payload = MemorySegment.ofArray(new long[1]);
        payload.set(LONG, ADDRESS_OFFSET - HEADER_BYTES, address);
        return payload;
    }

    /** The payload of CLEAR_TO_WRITE. */
    public static MemorySegment placePayload(long address, long lengthBytes) {
        MemorySegment payload = MemorySegment.ofArray(new long[2]);
        payload.set(LONG, ADDRESS_OFFSET - HEADER_BYTES, address);
        payload.set(LONG, LENGTH_OFFSET - HEADER_BYTES, lengthBytes);
        return payload;
    }

    /**
     * A copy of a header.
     *
     * @throws IllegalArgumentException if it is of no kind
     */
    public static FrameHeader read(MemorySegment ring, long frame) {
        return new FrameHeader(
                FrameType.of(ring.get(INT, frame + KIND_OFFSET)),
                ring.get(INT, frame + CONTEXT_OFFSET),
                ring.get(INT, frame + TAG_OFFSET),
                ring.get(INT, frame + RKEY_OFFSET),
                ring.get(LONG, frame + BYTES_OFFSET),
                ring.get(LONG, frame + REQUEST_OFFSET));
    }

    public static long address(MemorySegment ring, long frame) {
        return ring.get(LONG, frame + ADDRESS_OFFSET);
    }

    public static long lengthBytes(MemorySegment ring, long frame) {
        return ring.get(LONG, frame + LENGTH_OFFSET);
    }
}
