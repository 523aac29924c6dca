package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Messages on their way to a UDP socket: a ring that {@link #add} fills and {@link #flush} empties
 * by sendmmsg(2), two of them where the ring wraps. A message is one datagram or, by udp(7)
 * UDP_SEGMENT, up to {@link #MAX_SEGMENTS} of them. As in {@link DatagramReceiver} the native call
 * is a common one.
 *
 * <pre>
 *  control room of a message:   0 UDP_SEGMENT, two bytes   24 IP_TOS, four bytes   48 end
 * </pre>
 */
final class DatagramQueue {
    /** The longest payload of one UDP datagram over IPv4. */
    static final int MAX_DATAGRAM_BYTES = 65_507;

    /** A longer batch the kernel takes apart before it needs to: the loopback's limit has the link header in it. */
    static final int MAX_BATCH_BYTES = 65_000;

    /** UDP_MAX_SEGMENTS of Linux; newer kernels take 128. */
    static final int MAX_SEGMENTS = 64;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int FLAGS = MSG_DONTWAIT | MSG_NOSIGNAL;
    private static final int IP_TOS = 1;
    private static final int UDP_SEGMENT = 103;
    private static final int MAX_TOS = 0xff;

    private static final int TOS_AT = 24;
    private static final int CONTROL_BYTES = 48;

    private static final CFunction SENDMMSG = CFunction.of("sendmmsg");

    private final int capacity;
    private final MemorySegment memory;
    private final MessageVector messages;
    private boolean segmenting;
    private int head;
    private int pending;
    private long dropped;
    private int dropErrno;

    /**
     * @param capacity messages, at least {@link #MAX_SEGMENTS}: a batch is that many where the
     *     kernel does not segment
     * @param segmenting whether the kernel does
     */
    DatagramQueue(int capacity, int memoryBytes, boolean segmenting) {
        this.capacity = capacity;
        this.segmenting = segmenting;
        memory = Arena.ofAuto().allocate(memoryBytes, 4096);
        messages = new MessageVector(capacity, CONTROL_BYTES);
        for (int i = 0; i < capacity; i++) {
            prepareControl(messages.controlOffset(i), Short.BYTES, MessageVector.SOL_UDP, UDP_SEGMENT);
            prepareControl(messages.controlOffset(i) + TOS_AT, Integer.BYTES, MessageVector.SOL_IP, IP_TOS);
        }
    }

    private void prepareControl(long at, int contentBytes, int level, int type) {
        messages.controls().set(JAVA_LONG, at, MessageVector.CONTENT_OFFSET + contentBytes);
        messages.controls().set(JAVA_INT, at + MessageVector.LEVEL_OFFSET, level);
        messages.controls().set(JAVA_INT, at + MessageVector.TYPE_OFFSET, type);
    }

    MemorySegment memory() {
        return memory;
    }

    boolean isSegmenting() {
        return segmenting;
    }

    int pending() {
        return pending;
    }

    /** False if there is no room for it. See {@link UdpPort#add}. */
    boolean add(long offset, int length, int segmentBytes, int address, int port, int tos) {
        Objects.checkFromIndexSize(offset, (long) length, memory.byteSize());
        checkField("tos", tos, MAX_TOS);
        checkField("port", port, 0xffff);
        if (segmentBytes >= length) {
            checkField("length", length, MAX_DATAGRAM_BYTES);
            return push(offset, length, 0, address, port, tos);
        }
        checkField("length", length, MAX_BATCH_BYTES);
        checkSegments(length, segmentBytes);
        return segmenting
                ? push(offset, length, segmentBytes, address, port, tos)
                : pushEach(offset, length, segmentBytes, address, port, tos);
    }

    private static void checkField(String field, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(field + " " + value + ", allowed 0 to " + most);
        }
    }

    private static void checkSegments(int length, int segmentBytes) {
        if (segmentBytes < 1 || length > MAX_SEGMENTS * segmentBytes) {
            throw new IllegalArgumentException(
                    "segments of " + segmentBytes + " bytes for " + length + ", allowed are up to " + MAX_SEGMENTS);
        }
    }

    private boolean pushEach(long offset, int length, int segmentBytes, int address, int port, int tos) {
        if (Math.ceilDiv(length, segmentBytes) > capacity - pending) {
            return false;
        }
        for (int from = 0; from < length; from += segmentBytes) {
            push(offset + from, Math.min(segmentBytes, length - from), 0, address, port, tos);
        }
        return true;
    }

    private boolean push(long offset, int length, int segmentBytes, int address, int port, int tos) {
        if (pending == capacity) {
            return false;
        }
        int slot = slot(pending);
        messages.setPayload(slot, memory.address() + offset, length);
        InetAddressLayout.set(messages.names(), messages.nameOffset(slot), address, port);
        long control = messages.controlOffset(slot);
        messages.controls().set(JAVA_INT, control + TOS_AT + MessageVector.CONTENT_OFFSET, tos);
        if (segmentBytes == 0) {
            messages.setControls(slot, TOS_AT, CONTROL_BYTES - TOS_AT);
        } else {
            messages.controls().set(JAVA_SHORT, control + MessageVector.CONTENT_OFFSET, (short) segmentBytes);
            messages.setControls(slot, 0, CONTROL_BYTES);
        }
        pending++;
        return true;
    }

    /** Index in the ring of the message {@code after} the first. */
    private int slot(int after) {
        int slot = head + after;
        return slot < capacity ? slot : slot - capacity;
    }

    /** See {@link UdpPort#flush}. */
    int flush(Fd fd) {
        int taken = 0;
        while (pending > 0) {
            int sent = sendmmsg(fd, Math.min(pending, capacity - head));
            if (sent > 0) {
                remove(sent);
                taken += sent;
                continue;
            }
            int errno = CLibrary.errno();
            if (isPassing(errno)) {
                break;
            }
            drop(errno);
        }
        return taken;
    }

    private int sendmmsg(Fd fd, int count) {
        try {
            return SENDMMSG.call(fd.number(), messages.headerAddress(head), count, FLAGS);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private static boolean isPassing(int errno) {
        return switch (errno) {
            case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM, Errno.EINTR -> true;
            case Errno.EBADF, Errno.ENOTSOCK, Errno.EFAULT ->
                throw new IllegalStateException("sendmmsg: " + Errno.text(errno));
            default -> false;
        };
    }

    /** The kernel refused the first message, whatever comes after it. */
    private void drop(int errno) {
        if (errno == Errno.EIO && messages.controlLength(head) == CONTROL_BYTES) {
            // A device on the way cannot do checksums, which segments need before Linux 6.11.
            segmenting = false;
        }
        dropped++;
        dropErrno = errno;
        remove(1);
    }

    private void remove(int count) {
        pending -= count;
        // An empty ring starts over, so that it wraps only while the socket is full.
        head = pending == 0 ? 0 : slot(count);
    }

    long dropped() {
        return dropped;
    }

    int dropErrno() {
        return dropErrno;
    }
}
