package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code struct msghdr} with one payload buffer and room for descriptors. One thread at a time.
 *
 * <pre>
 *  byte  0 name     8 namelen   16 iov   24 iovlen   32 control   40 controllen   48 flags
 *  control: 0 length (8 bytes)   8 level   12 type   16 descriptors, 4 bytes each
 * </pre>
 */
final class MessageHeader {
    /** The most that Linux takes in one message. */
    static final int MAX_DESCRIPTORS = 253;

    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int DESCRIPTORS_OFFSET = 16;
    private static final int CONTROL_BYTES = DESCRIPTORS_OFFSET + 4 * (MAX_DESCRIPTORS + 1);

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment header = arena.allocate(56, 8);
    private final MemorySegment vector = arena.allocate(16, 8);
    private final MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
    private final MemorySegment payload;

    MessageHeader(int payloadBytes) {
        payload = arena.allocate(payloadBytes, 8);
        vector.set(ADDRESS, 0, payload);
        header.set(ADDRESS, 16, vector);
        header.set(JAVA_LONG, 24, 1);
    }

    MemorySegment payload() {
        return payload;
    }

    MemorySegment toSend(long lengthBytes, List<Fd> descriptors) {
        vector.set(JAVA_LONG, 8, lengthBytes);
        if (descriptors.isEmpty()) {
            setControl(MemorySegment.NULL, 0);
            return header;
        }
        int length = DESCRIPTORS_OFFSET + 4 * descriptors.size();
        control.set(JAVA_LONG, 0, length);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        for (int i = 0; i < descriptors.size(); i++) {
            control.set(
                    JAVA_INT, DESCRIPTORS_OFFSET + 4L * i, descriptors.get(i).number());
        }
        setControl(control, Math.ceilDiv(length, 8) * 8L);
        return header;
    }

    /** Without room for descriptors the kernel drops what a peer sends. */
    MemorySegment toReceive(boolean withDescriptors) {
        vector.set(JAVA_LONG, 8, payload.byteSize());
        header.set(JAVA_INT, 48, 0);
        if (withDescriptors) {
            setControl(control, CONTROL_BYTES);
        } else {
            setControl(MemorySegment.NULL, 0);
        }
        return header;
    }

    private void setControl(MemorySegment where, long lengthBytes) {
        header.set(ADDRESS, 32, where);
        header.set(JAVA_LONG, 40, lengthBytes);
    }

    int flags() {
        return header.get(JAVA_INT, 48);
    }

    List<Fd> descriptors() {
        List<Fd> received = new ArrayList<>();
        long end = header.get(JAVA_LONG, 40);
        if (end >= DESCRIPTORS_OFFSET
                && control.get(JAVA_INT, 8) == SOL_SOCKET
                && control.get(JAVA_INT, 12) == SCM_RIGHTS) {
            long length = Math.min(end, control.get(JAVA_LONG, 0));
            for (long at = DESCRIPTORS_OFFSET; at + 4 <= length; at += 4) {
                received.add(new Fd(control.get(JAVA_INT, at)));
            }
        }
        return received;
    }
}
