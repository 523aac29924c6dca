package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.BYTE;
import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;
import static io.hyperverbs.hca.layout.Bytes.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * One send work queue entry: {@link QueueGeometry#sendStrideBytes()} bytes, 64-byte aligned in its
 * ring memory, little-endian. Written by the guest only; the HCA copies the entry once and looks at
 * its copy alone.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | wrId                          |
 *    8  | op | flags|segs | immediate   |  byte, byte, short; int
 *   16  | remoteAddress                 |
 *   24  | rkey          | inlineBytes   |  inlineBytes counts with the INLINE flag only
 *  (16) | ah            | remoteQpn     |  UD, in place of the two above
 *  (24) | remoteQkey    |               |
 *   32  | expected, or addend           |  atomics
 *   40  | replacement                   |  compare and swap
 *   48  | address                       |  segment 0, or inline payload from here
 *   56  | lengthBytes   | lkey          |
 *  ...  | segment 1 ...                 |
 * </pre>
 *
 * With XRC the number of the shared receive queue is at 32; of an atomic, which has no inline
 * bytes, at 28.
 *
 * <p>Publishing: the producer index of {@link QueueGeometry#SEND_PRODUCER_OFFSET} is stored with
 * release after the entry.
 */
public final class SendWqeLayout {
    public static final int OPCODE_SEND = 2;
    public static final int OPCODE_SEND_WITH_IMM = 3;
    public static final int OPCODE_RDMA_WRITE = 0;
    public static final int OPCODE_RDMA_WRITE_WITH_IMM = 1;
    public static final int OPCODE_RDMA_READ = 4;
    public static final int OPCODE_COMPARE_AND_SWAP = 5;
    public static final int OPCODE_FETCH_AND_ADD = 6;
    public static final int OPCODE_LOCAL_INV = 7;
    public static final int OPCODE_BIND_MW = 8;
    public static final int OPCODE_SEND_WITH_INV = 9;

    /** A request with any other flag is refused. */
    public static final int KNOWN_FLAGS = io.hyperverbs.verbs.SendFlags.FENCE
            | io.hyperverbs.verbs.SendFlags.SIGNALLED
            | io.hyperverbs.verbs.SendFlags.SOLICITED
            | io.hyperverbs.verbs.SendFlags.INLINE;

    public static final int SGE_BYTES = 16;
    public static final long SGES_OFFSET = 48;
    static final long WR_ID_OFFSET = 0;
    static final long OPCODE_OFFSET = 8;
    static final long FLAGS_OFFSET = 9;
    static final long SEGMENT_COUNT_OFFSET = 10;
    static final long IMMEDIATE_OFFSET = 12;
    static final long REMOTE_ADDRESS_OFFSET = 16;
    static final long RKEY_OFFSET = 24;
    static final long INLINE_BYTES_OFFSET = 28;
    static final long AH_OFFSET = 16;
    static final long REMOTE_QPN_OFFSET = 20;
    static final long REMOTE_QKEY_OFFSET = 24;
    static final long EXPECTED_OFFSET = 32;
    static final long REPLACEMENT_OFFSET = 40;

    private SendWqeLayout() {}

    /** Writes the fields every request has; the others are written as zero. */
    public static void writeHead(MemorySegment ring, long wqe, long wrId, int opcode, int flags) {
        ring.set(LONG, wqe + WR_ID_OFFSET, wrId);
        ring.set(LONG, wqe + OPCODE_OFFSET, (opcode & 0xffL) | (flags & 0xffL) << 8);
        ring.set(LONG, wqe + REMOTE_ADDRESS_OFFSET, 0L);
        ring.set(LONG, wqe + RKEY_OFFSET, 0L);
        ring.set(LONG, wqe + EXPECTED_OFFSET, 0L);
        ring.set(LONG, wqe + REPLACEMENT_OFFSET, 0L);
    }

    public static void writeImmediate(MemorySegment ring, long wqe, int immediate) {
        ring.set(INT, wqe + IMMEDIATE_OFFSET, immediate);
    }

    public static void writeRemote(MemorySegment ring, long wqe, long remoteAddress, int rkey) {
        ring.set(LONG, wqe + REMOTE_ADDRESS_OFFSET, remoteAddress);
        ring.set(INT, wqe + RKEY_OFFSET, rkey);
    }

    /** Where a datagram goes: number of its address handle, QPN and Q_Key of the receiver. */
    public static void writeDestination(MemorySegment ring, long wqe, int ah, int remoteQpn, int remoteQkey) {
        ring.set(INT, wqe + AH_OFFSET, ah);
        ring.set(INT, wqe + REMOTE_QPN_OFFSET, remoteQpn);
        ring.set(INT, wqe + REMOTE_QKEY_OFFSET, remoteQkey);
    }

    public static void writeAtomic(MemorySegment ring, long wqe, long expectedOrAddend, long replacement) {
        ring.set(LONG, wqe + EXPECTED_OFFSET, expectedOrAddend);
        ring.set(LONG, wqe + REPLACEMENT_OFFSET, replacement);
    }

    /** XRC: which shared receive queue the request is for. */
    public static void writeSrqn(MemorySegment ring, long wqe, int srqn) {
        ring.set(INT, wqe + srqnOffset(opcode(ring, wqe)), srqn);
    }

    /** XRC: which shared receive queue the request is for, as the guest wrote it. */
    public static int srqn(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + srqnOffset(opcode(copy, wqe)));
    }

    private static long srqnOffset(int opcode) {
        return opcode == OPCODE_COMPARE_AND_SWAP || opcode == OPCODE_FETCH_AND_ADD
                ? INLINE_BYTES_OFFSET
                : EXPECTED_OFFSET;
    }

    public static void writeSegmentCount(MemorySegment ring, long wqe, int count) {
        ring.set(SHORT, wqe + SEGMENT_COUNT_OFFSET, (short) count);
    }

    public static void writeSegment(
            MemorySegment ring, long wqe, int segment, long address, int lengthBytes, int lkey) {
        long sge = wqe + SGES_OFFSET + (long) segment * SGE_BYTES;
        ring.set(LONG, sge, address);
        ring.set(INT, sge + 8, lengthBytes);
        ring.set(INT, sge + 12, lkey);
    }

    /** Copies the payload into the entry and sets the INLINE flag. */
    public static void writeInline(
            MemorySegment ring, long wqe, MemorySegment source, long offsetBytes, int lengthBytes) {
        MemorySegment.copy(source, offsetBytes, ring, wqe + SGES_OFFSET, lengthBytes);
        ring.set(INT, wqe + INLINE_BYTES_OFFSET, lengthBytes);
        byte flags = ring.get(BYTE, wqe + FLAGS_OFFSET);
        ring.set(BYTE, wqe + FLAGS_OFFSET, (byte) (flags | io.hyperverbs.verbs.SendFlags.INLINE));
    }

    public static long wrId(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + WR_ID_OFFSET);
    }

    public static int opcode(MemorySegment copy, long wqe) {
        return copy.get(BYTE, wqe + OPCODE_OFFSET) & 0xff;
    }

    public static int flags(MemorySegment copy, long wqe) {
        return copy.get(BYTE, wqe + FLAGS_OFFSET) & 0xff;
    }

    /** 0 to 65535, as the guest wrote it. */
    public static int segmentCount(MemorySegment copy, long wqe) {
        return copy.get(SHORT, wqe + SEGMENT_COUNT_OFFSET) & 0xffff;
    }

    public static int immediate(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + IMMEDIATE_OFFSET);
    }

    public static long remoteAddress(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + REMOTE_ADDRESS_OFFSET);
    }

    public static int rkey(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + RKEY_OFFSET);
    }

    public static int ah(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + AH_OFFSET);
    }

    public static int remoteQpn(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + REMOTE_QPN_OFFSET);
    }

    public static int remoteQkey(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + REMOTE_QKEY_OFFSET);
    }

    public static int inlineBytes(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + INLINE_BYTES_OFFSET);
    }

    public static long expectedOrAddend(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + EXPECTED_OFFSET);
    }

    public static long replacement(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + REPLACEMENT_OFFSET);
    }

    public static long segmentAddress(MemorySegment copy, long wqe, int segment) {
        return copy.get(LONG, wqe + SGES_OFFSET + (long) segment * SGE_BYTES);
    }

    public static int segmentLengthBytes(MemorySegment copy, long wqe, int segment) {
        return copy.get(INT, wqe + SGES_OFFSET + (long) segment * SGE_BYTES + 8);
    }

    public static int segmentLkey(MemorySegment copy, long wqe, int segment) {
        return copy.get(INT, wqe + SGES_OFFSET + (long) segment * SGE_BYTES + 12);
    }
}
