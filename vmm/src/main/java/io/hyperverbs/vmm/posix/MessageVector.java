package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of {@code struct mmsghdr}, as recvmmsg(2) and sendmmsg(2) take it, and for each message
 * one range of payload, one IPv4 address and room for control messages. In the computer's byte
 * order, 64 bit. Allocates nothing after its making; one thread at a time.
 *
 * <pre>
 *  mmsghdr  0 name  8 namelen  16 iov  24 iovlen  32 control  40 controllen  48 flags  56 length of the datagram; 64 bytes
 *  iovec    0 base  8 length; 16 bytes
 *  cmsghdr  0 length with this header (8 bytes)  8 level  12 type  16 content; the next begins at a multiple of 8
 * </pre>
 */
final class MessageVector {
    static final int SOL_IP = 0;
    static final int SOL_UDP = 17;

    /** From the begin of a control message to its content. */
    static final int CONTENT_OFFSET = 16;

    static final int LEVEL_OFFSET = 8;
    static final int TYPE_OFFSET = 12;

    private static final long HEADER_BYTES = 64;
    private static final long NAME_LENGTH_OFFSET = 8;
    private static final long VECTOR_OFFSET = 16;
    private static final long VECTOR_COUNT_OFFSET = 24;
    private static final long CONTROL_OFFSET = 32;
    private static final long CONTROL_LENGTH_OFFSET = 40;
    private static final long FLAGS_OFFSET = 48;
    private static final long LENGTH_OFFSET = 56;
    private static final long VECTOR_BYTES = 16;

    private final MemorySegment headers;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final int controlBytes;

    /**
     * @param messages at least 1
     * @param controlBytes room for control messages of each, a multiple of 8
     */
    MessageVector(int messages, int controlBytes) {
        Arena arena = Arena.ofAuto();
        headers = arena.allocate(messages * HEADER_BYTES, HEADER_BYTES);
        vectors = arena.allocate(messages * VECTOR_BYTES, VECTOR_BYTES);
        names = arena.allocate((long) messages * InetAddressLayout.SIZE_BYTES, InetAddressLayout.SIZE_BYTES);
        controls = arena.allocate((long) messages * controlBytes, Long.BYTES);
        this.controlBytes = controlBytes;
        for (int i = 0; i < messages; i++) {
            long header = i * HEADER_BYTES;
            headers.set(JAVA_LONG, header, names.address() + nameOffset(i));
            headers.set(JAVA_LONG, header + VECTOR_OFFSET, vectors.address() + i * VECTOR_BYTES);
            headers.set(JAVA_LONG, header + VECTOR_COUNT_OFFSET, 1);
            setNameLength(i);
            setControls(i, 0, controlBytes);
        }
    }

    /** Address of the header of {@code message}, for the kernel; valid while this is reachable. */
    long headerAddress(int message) {
        return headers.address() + message * HEADER_BYTES;
    }

    /** {@code address} is one of this process; whoever owns the memory keeps it. */
    void setPayload(int message, long address, long lengthBytes) {
        vectors.set(JAVA_LONG, message * VECTOR_BYTES, address);
        vectors.set(JAVA_LONG, message * VECTOR_BYTES + 8, lengthBytes);
    }

    /** Passes {@code lengthBytes} of the control room, from {@code from}. */
    void setControls(int message, int from, int lengthBytes) {
        long header = message * HEADER_BYTES;
        headers.set(JAVA_LONG, header + CONTROL_OFFSET, controls.address() + controlOffset(message) + from);
        headers.set(JAVA_LONG, header + CONTROL_LENGTH_OFFSET, lengthBytes);
    }

    /** Gives the kernel all the room again after it wrote how much it used. */
    void reset(int message) {
        setNameLength(message);
        headers.set(JAVA_LONG, message * HEADER_BYTES + CONTROL_LENGTH_OFFSET, controlBytes);
    }

    private void setNameLength(int message) {
        headers.set(JAVA_INT, message * HEADER_BYTES + NAME_LENGTH_OFFSET, InetAddressLayout.SIZE_BYTES);
    }

    int flags(int message) {
        return headers.get(JAVA_INT, message * HEADER_BYTES + FLAGS_OFFSET);
    }

    int lengthBytes(int message) {
        return headers.get(JAVA_INT, message * HEADER_BYTES + LENGTH_OFFSET);
    }

    /** Bytes of control messages, as the kernel wrote it. */
    int controlLength(int message) {
        return (int) headers.get(JAVA_LONG, message * HEADER_BYTES + CONTROL_LENGTH_OFFSET);
    }

    /** One {@code sockaddr_in} for each message, at {@link #nameOffset}. */
    MemorySegment names() {
        return names;
    }

    long nameOffset(int message) {
        return (long) message * InetAddressLayout.SIZE_BYTES;
    }

    /** The control room of all messages, that of each at {@link #controlOffset}. */
    MemorySegment controls() {
        return controls;
    }

    long controlOffset(int message) {
        return (long) message * controlBytes;
    }
}
