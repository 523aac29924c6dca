package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.BYTE;
import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;
import static io.hyperverbs.hca.layout.Bytes.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * One completion queue entry: 64 bytes, one cache line, little-endian. Written by the HCA only;
 * read by the guest that owns the queue.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | wrId                          |  copied from the WQE
 *    8  | byteCount     | qpn           |
 *   16  | immediate     |status|vendor  |  int; VerbsStatus.code(), VendorError.code() as shorts
 *   24  |op |fl| 0      | sqHead        |  fl bit 0: immediate valid, bit 1: solicited,
 *                                          bit 3: immediate is the key that the message invalidated,
 *                                          bit 4: GRH
 *   32  | faultAddress                  |  of the failed check, with an error only
 *  (32) |slid |pkeyIndex | sl           |  shorts, int: of a received datagram, without an error
 *   40  | faultLengthBytes              |
 *   48  | faultKey      | faultPd       |
 *   56  | sourceQpn     | sequence      |  sequence: index + 1 of this entry; valid when it matches
 * </pre>
 *
 * On receives the word at 28 is the number of the shared receive queue, 0 for none.
 *
 * <p>A receive is solicited if its sender set {@code SendFlags.SOLICITED}. {@code sqHead} is the
 * send index after the last request this completion frees: slots before it may be filled again. It
 * counts on send completions only (opcode below 128). Publishing: sequence is stored last, with
 * release; a reader loads it first, with acquire.
 */
public final class CqeLayout {
    public static final long SIZE_BYTES = 64;
    public static final int FLAG_IMMEDIATE = 1;
    public static final int FLAG_SOLICITED = 1 << 1;
    public static final int FLAG_GRH = 1 << 4;
    public static final int FLAG_INVALIDATED = 1 << 3;
    static final long WR_ID_OFFSET = 0;
    static final long BYTE_COUNT_OFFSET = 8;
    static final long QPN_OFFSET = 12;
    static final long IMMEDIATE_OFFSET = 16;
    static final long STATUS_OFFSET = 20;
    static final long VENDOR_ERROR_OFFSET = 22;
    static final long OPCODE_OFFSET = 24;
    static final long FLAGS_OFFSET = 25;
    static final long SQ_HEAD_OFFSET = 28;
    static final long FAULT_ADDRESS_OFFSET = 32;
    static final long SOURCE_LID_OFFSET = 32;
    static final long PKEY_INDEX_OFFSET = 34;
    static final long SERVICE_LEVEL_OFFSET = 36;
    static final long FAULT_LENGTH_OFFSET = 40;
    static final long FAULT_KEY_OFFSET = 48;
    static final long FAULT_PD_OFFSET = 52;
    static final long SOURCE_QPN_OFFSET = 56;
    static final long SEQUENCE_OFFSET = 60;

    private CqeLayout() {}

    /** Writes all of a completion but its sequence; reserved bytes and the fault become zero. */
    public static void write(
            MemorySegment ring,
            long cqe,
            long wrId,
            int statusCode,
            int opcode,
            int byteCount,
            int qpn,
            int flags,
            int immediate,
            int sqHead) {
        ring.set(LONG, cqe + WR_ID_OFFSET, wrId);
        // Two fields at a time: of all that the engine does for a message, stores are the most.
        ring.set(LONG, cqe + BYTE_COUNT_OFFSET, pair(byteCount, qpn));
        ring.set(LONG, cqe + IMMEDIATE_OFFSET, pair(immediate, statusCode & 0xffff));
        ring.set(LONG, cqe + OPCODE_OFFSET, pair((opcode & 0xff) | (flags & 0xff) << 8, sqHead));
        ring.set(LONG, cqe + FAULT_ADDRESS_OFFSET, 0L);
        ring.set(LONG, cqe + FAULT_LENGTH_OFFSET, 0L);
        ring.set(LONG, cqe + FAULT_KEY_OFFSET, 0L);
        ring.set(INT, cqe + SOURCE_QPN_OFFSET, 0);
    }

    private static long pair(int low, int high) {
        return (low & 0xffff_ffffL) | (long) high << 32;
    }

    /** Adds which check failed on what, before the sequence. */
    public static void writeFault(
            MemorySegment ring, long cqe, int vendorError, int key, int pd, long address, long lengthBytes) {
        ring.set(SHORT, cqe + VENDOR_ERROR_OFFSET, (short) vendorError);
        ring.set(LONG, cqe + FAULT_ADDRESS_OFFSET, address);
        ring.set(LONG, cqe + FAULT_LENGTH_OFFSET, lengthBytes);
        ring.set(INT, cqe + FAULT_KEY_OFFSET, key);
        ring.set(INT, cqe + FAULT_PD_OFFSET, pd);
    }

    /** Adds where a datagram came from, before the sequence; {@code sourceQpn} is never 0. */
    public static void writeSource(
            MemorySegment ring, long cqe, int sourceQpn, int sourceLid, int serviceLevel, int pkeyIndex) {
        ring.set(INT, cqe + SOURCE_QPN_OFFSET, sourceQpn);
        ring.set(SHORT, cqe + SOURCE_LID_OFFSET, (short) sourceLid);
        ring.set(SHORT, cqe + PKEY_INDEX_OFFSET, (short) pkeyIndex);
        ring.set(INT, cqe + SERVICE_LEVEL_OFFSET, serviceLevel);
    }

    public static void publishRelease(MemorySegment ring, long cqe, int sequence) {
        ORDERED_INT.setRelease(ring, cqe + SEQUENCE_OFFSET, sequence);
    }

    public static int sequenceAcquire(MemorySegment ring, long cqe) {
        return (int) ORDERED_INT.getAcquire(ring, cqe + SEQUENCE_OFFSET);
    }

    public static long wrId(MemorySegment ring, long cqe) {
        return ring.get(LONG, cqe + WR_ID_OFFSET);
    }

    public static int byteCount(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + BYTE_COUNT_OFFSET);
    }

    public static int qpn(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + QPN_OFFSET);
    }

    public static int immediate(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + IMMEDIATE_OFFSET);
    }

    public static int statusCode(MemorySegment ring, long cqe) {
        return ring.get(SHORT, cqe + STATUS_OFFSET) & 0xffff;
    }

    public static int vendorError(MemorySegment ring, long cqe) {
        return ring.get(SHORT, cqe + VENDOR_ERROR_OFFSET) & 0xffff;
    }

    public static int opcode(MemorySegment ring, long cqe) {
        return ring.get(BYTE, cqe + OPCODE_OFFSET) & 0xff;
    }

    public static int flags(MemorySegment ring, long cqe) {
        return ring.get(BYTE, cqe + FLAGS_OFFSET) & 0xff;
    }

    public static int sqHead(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + SQ_HEAD_OFFSET);
    }

    /** QPN of the sender of a datagram; 0 for any other completion. */
    public static int sourceQpn(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + SOURCE_QPN_OFFSET);
    }

    public static int sourceLid(MemorySegment ring, long cqe) {
        return ring.get(SHORT, cqe + SOURCE_LID_OFFSET) & 0xffff;
    }

    public static int serviceLevel(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + SERVICE_LEVEL_OFFSET);
    }

    public static int pkeyIndex(MemorySegment ring, long cqe) {
        return ring.get(SHORT, cqe + PKEY_INDEX_OFFSET) & 0xffff;
    }

    public static int faultKey(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + FAULT_KEY_OFFSET);
    }

    public static int faultPd(MemorySegment ring, long cqe) {
        return ring.get(INT, cqe + FAULT_PD_OFFSET);
    }

    public static long faultAddress(MemorySegment ring, long cqe) {
        return ring.get(LONG, cqe + FAULT_ADDRESS_OFFSET);
    }

    public static long faultLengthBytes(MemorySegment ring, long cqe) {
        return ring.get(LONG, cqe + FAULT_LENGTH_OFFSET);
    }
}
