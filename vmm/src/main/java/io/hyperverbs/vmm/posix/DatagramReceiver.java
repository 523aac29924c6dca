package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Takes datagrams from UDP sockets, as many as there are buffers in one recvmmsg(2), with what their
 * control messages say: destination (ip(7) IP_PKTINFO), TOS (IP_RECVTOS), segments (udp(7) UDP_GRO).
 * The native call is a common one, not a critical: it takes tens of microseconds when it copies
 * much, and a safepoint would wait for it.
 */
final class DatagramReceiver {
    /** The longest UDP datagram over IPv4, and the longest batch of segments, are shorter. */
    static final int BUFFER_BYTES = 64 * 1024;

    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int IP_TOS = 1;
    private static final int IP_PKTINFO = 8;
    private static final int DESTINATION_OFFSET = MessageVector.CONTENT_OFFSET + 8;
    private static final int UDP_GRO = 104;
    private static final int CONTROL_BYTES = 128;
    private static final int MOST_ERRORS = 8;

    private static final CFunction RECVMMSG = CFunction.of("recvmmsg");

    private final int buffers;
    private final int bufferBytes;
    private final MemorySegment memory;
    private final MessageVector messages;
    private final int[] slots;
    private final int[] segmentBytes;
    private final int[] destinations;
    private final int[] tos;
    private int filled;
    private long truncated;
    private long errors;

    /** @param bufferBytes of each buffer; {@link #BUFFER_BYTES} but in tests */
    DatagramReceiver(int buffers, int bufferBytes) {
        this.buffers = buffers;
        this.bufferBytes = bufferBytes;
        memory = Arena.ofAuto().allocate((long) buffers * bufferBytes, 4096);
        messages = new MessageVector(buffers, CONTROL_BYTES);
        for (int i = 0; i < buffers; i++) {
            messages.setPayload(i, memory.address() + (long) i * bufferBytes, bufferBytes);
        }
        slots = new int[buffers];
        segmentBytes = new int[buffers];
        destinations = new int[buffers];
        tos = new int[buffers];
    }

    /**
     * Takes what is there; what was there before is overwritten.
     *
     * @return how many datagrams; 0 only if the socket is empty, or fails again and again
     */
    int receive(Fd fd) {
        int kept = 0;
        do {
            filled = fill(fd);
            kept = keep();
        } while (kept == 0 && filled > 0);
        return kept;
    }

    /** Whether the last call left datagrams, perhaps. */
    boolean mayHaveMore() {
        return filled == buffers;
    }

    private int fill(Fd fd) {
        for (int i = 0; i < filled; i++) {
            messages.reset(i);
        }
        for (int tries = 0; tries < MOST_ERRORS; tries++) {
            int got = recvmmsg(fd);
            if (got >= 0) {
                return got;
            }
            int errno = CLibrary.errno();
            if (errno == Errno.EAGAIN) {
                return 0;
            }
            if (errno == Errno.EBADF || errno == Errno.ENOTSOCK || errno == Errno.EFAULT || errno == Errno.EINVAL) {
                throw new IllegalStateException("recvmmsg: " + Errno.text(errno));
            }
            // A pending error of the socket is reported once, and hides no datagram.
            errors++;
        }
        return 0;
    }

    private int recvmmsg(Fd fd) {
        try {
            return RECVMMSG.call(fd.number(), messages.headerAddress(0), buffers, MSG_DONTWAIT, 0);
        } finally {
            Reference.reachabilityFence(messages);
        }
    }

    private int keep() {
        int kept = 0;
        for (int message = 0; message < filled; message++) {
            if ((messages.flags(message) & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
                truncated++;
                continue;
            }
            slots[kept] = message;
            segmentBytes[kept] = messages.lengthBytes(message);
            destinations[kept] = 0;
            tos[kept] = 0;
            readControls(message, kept);
            kept++;
        }
        return kept;
    }

    private void readControls(int message, int index) {
        MemorySegment controls = messages.controls();
        long at = messages.controlOffset(message);
        long end = at + messages.controlLength(message);
        while (at + MessageVector.CONTENT_OFFSET <= end) {
            long length = controls.get(JAVA_LONG, at);
            if (length < MessageVector.CONTENT_OFFSET || length > end - at) {
                return;
            }
            int type = controls.get(JAVA_INT, at + MessageVector.TYPE_OFFSET);
            switch (controls.get(JAVA_INT, at + MessageVector.LEVEL_OFFSET)) {
                case MessageVector.SOL_IP -> readIpControl(type, at, index);
                case MessageVector.SOL_UDP -> readUdpControl(type, at, index);
                default -> {}
            }
            at += (length + 7) & -8;
        }
    }

    private void readIpControl(int type, long at, int index) {
        MemorySegment controls = messages.controls();
        if (type == IP_PKTINFO) {
            destinations[index] = controls.get(InetAddressLayout.NETWORK_INT, at + DESTINATION_OFFSET);
        } else if (type == IP_TOS) {
            tos[index] = Byte.toUnsignedInt(controls.get(JAVA_BYTE, at + MessageVector.CONTENT_OFFSET));
        }
    }

    private void readUdpControl(int type, long at, int index) {
        if (type == UDP_GRO) {
            int bytes = messages.controls().get(JAVA_INT, at + MessageVector.CONTENT_OFFSET);
            if (bytes > 0 && bytes < segmentBytes[index]) {
                segmentBytes[index] = bytes;
            }
        }
    }

    MemorySegment memory() {
        return memory;
    }

    long offset(int index) {
        return (long) slots[index] * bufferBytes;
    }

    int lengthBytes(int index) {
        return messages.lengthBytes(slots[index]);
    }

    int segmentBytes(int index) {
        return segmentBytes[index];
    }

    int sourceAddress(int index) {
        return InetAddressLayout.address(messages.names(), messages.nameOffset(slots[index]));
    }

    int sourcePort(int index) {
        return InetAddressLayout.port(messages.names(), messages.nameOffset(slots[index]));
    }

    int destinationAddress(int index) {
        return destinations[index];
    }

    int tos(int index) {
        return tos[index];
    }

    /** Datagrams dropped because they, or what is said of them, did not fit. */
    long truncated() {
        return truncated;
    }

    /** Errors of sockets that a receive met; they concern no datagram. */
    long errors() {
        return errors;
    }
}
