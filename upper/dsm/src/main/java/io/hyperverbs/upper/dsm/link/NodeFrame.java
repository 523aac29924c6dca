package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import io.hyperverbs.upper.dsm.protocol.ControlType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What a SEND between nodes carries: a control message, or bytes of the shared memory.
 *
 * <pre>
 *  0        4         8       12           16                24
 *  +--------+---------+-------+------------+-----------------+---------------------------
 *  | kind   | subject | node  | data bytes | value or offset | data, if kind is 0
 *  +--------+---------+-------+------------+-----------------+---------------------------
 * </pre>
 *
 * Little-endian. The kind is 0 for data, which goes to the offset in the shared memory; else 1 and the code of a {@link
 * ControlType}. Written by the sender, read by the receiver.
 */
final class NodeFrame {
    static final int HEADER_BYTES = 24;

    /** Kind of a frame with data. */
    static final int DATA = 0;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long KIND = 0;
    private static final long SUBJECT = 4;
    private static final long NODE = 8;
    private static final long DATA_BYTES = 12;
    private static final long VALUE = 16;

    private NodeFrame() {}

    static void write(MemorySegment frame, ControlMessage message) {
        frame.set(INT, KIND, 1 + message.type().code());
        frame.set(INT, SUBJECT, message.subject());
        frame.set(INT, NODE, message.node());
        frame.set(INT, DATA_BYTES, 0);
        frame.set(LONG, VALUE, message.value());
    }

    static void writeData(MemorySegment frame, MemorySegment memory, long offsetBytes, int lengthBytes) {
        frame.set(INT, KIND, DATA);
        frame.set(INT, DATA_BYTES, lengthBytes);
        frame.set(LONG, VALUE, offsetBytes);
        MemorySegment.copy(memory, offsetBytes, frame, HEADER_BYTES, lengthBytes);
    }

    static int kind(MemorySegment frame) {
        return frame.get(INT, KIND);
    }

    /** The message of a frame that is no data; empty if it is none. */
    static Optional<ControlMessage> message(MemorySegment frame) {
        int subject = frame.get(INT, SUBJECT);
        int node = frame.get(INT, NODE);
        long value = frame.get(LONG, VALUE);
        return ControlType.ofCode(kind(frame) - 1).map(type -> new ControlMessage(type, subject, node, value));
    }

    /**
     * Copies the data of a frame to its place.
     *
     * @return whether it has one
     */
    static boolean copyData(MemorySegment frame, MemorySegment memory) {
        long offset = frame.get(LONG, VALUE);
        int bytes = frame.get(INT, DATA_BYTES);
        boolean sound = bytes >= 0
                && bytes <= frame.byteSize() - HEADER_BYTES
                && offset >= 0
                && offset <= memory.byteSize() - bytes;
        if (sound) {
            MemorySegment.copy(frame, HEADER_BYTES, memory, offset, bytes);
        }
        return sound;
    }
}
