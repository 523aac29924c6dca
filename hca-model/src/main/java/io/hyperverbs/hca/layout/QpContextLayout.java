package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * One queue pair's context: 512 bytes, 64-byte aligned, little-endian. Written by the HCA only;
 * read by tools and by a restarted HCA. Attributes change with a modify, heads and PSNs with each
 * message, before its completion is visible; messages, bytes and counters once a turn of the engine.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | qpn           | state         |  0 = free; QpState.code()
 *    8  | domain        | uar           |
 *   16  | slot          | pd            |
 *   24  | type          | weight        |  QpType.code()
 *   32  | sendCq        | receiveCq     |
 *   40  | ringAddress                   |  machine address
 *   48  | sendEntries   | sendStride    |
 *   56  | receiveEntries | receiveStride |
 *   64  | sendSge       | receiveSge    |
 *   72  | inlineBytes   | allSignalled  |
 *   80  | destQpn       | destLid       |
 *   88  | pathMtu       | access        |  bytes; Access.mask
 *   96  | maxRdAtomic   | maxDestRdAtomic |
 *  104  | minRnrTimer   | timeout       |  codes
 *  112  | retryCount    | rnrRetry      |
 *  120  | pkeyIndex     | port          |
 *  128  | sqHead        | sqPsn         |  next request to retire; next to send
 *  136  | sentMessages                  |
 *  144  | sentBytes                     |
 *  152  | sendErrors                    |  flushed ones too
 *  160  | rnrNaks       | staticRate    |  of the request that waits for a receive, 0 = none does; ibv_rate
 *  168  | rnrSinceNanos                 |  when the first of them came, CLOCK_MONOTONIC
 *  176  | destGid, upper half           |  0 if the LID says where the peer is
 *  184  | destGid, lower half           |
 *  192  | rqHead        | rqPsn         |  next receive to retire; next expected
 *  200  | receivedMessages              |  one-sided ones too
 *  208  | receivedBytes                 |  read ones not
 *  216  | receiveErrors                 |
 *  256  | counter 0     | counter 1     |  Counter.number(), its own share
 *  ...  | counter 62    | counter 63    |
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free. rnrNaks is stored after rnrSinceNanos, with release.
 */
public final class QpContextLayout {
    public static final int SIZE_BYTES = 256 + 4 * ContextMemoryLayout.COUNTERS;
    static final long COUNTERS_OFFSET = 256;

    /** The fields; an int is read signed. */
    public enum Field {
        QPN(0, 4),
        STATE(4, 4),
        DOMAIN(8, 4),
        UAR(12, 4),
        SLOT(16, 4),
        PD(20, 4),
        TYPE(24, 4),
        WEIGHT(28, 4),
        SEND_CQ(32, 4),
        RECEIVE_CQ(36, 4),
        RING_ADDRESS(40, 8),
        SEND_ENTRIES(48, 4),
        SEND_STRIDE(52, 4),
        RECEIVE_ENTRIES(56, 4),
        RECEIVE_STRIDE(60, 4),
        SEND_SGE(64, 4),
        RECEIVE_SGE(68, 4),
        INLINE_BYTES(72, 4),
        ALL_SIGNALLED(76, 4),
        DEST_QPN(80, 4),
        DEST_LID(84, 4),
        PATH_MTU(88, 4),
        ACCESS(92, 4),
        MAX_RD_ATOMIC(96, 4),
        MAX_DEST_RD_ATOMIC(100, 4),
        MIN_RNR_TIMER(104, 4),
        TIMEOUT(108, 4),
        RETRY_COUNT(112, 4),
        RNR_RETRY(116, 4),
        PKEY_INDEX(120, 4),
        PORT(124, 4),
        SQ_HEAD(128, 4),
        SQ_PSN(132, 4),
        SENT_MESSAGES(136, 8),
        SENT_BYTES(144, 8),
        SEND_ERRORS(152, 8),
        RNR_NAKS(160, 4),
        RNR_SINCE_NANOS(168, 8),
        DEST_GID_PREFIX(176, 8),
        DEST_GID_INTERFACE(184, 8),
        RQ_HEAD(192, 4),
        RQ_PSN(196, 4),
        RECEIVED_MESSAGES(200, 8),
        RECEIVED_BYTES(208, 8),
        RECEIVE_ERRORS(216, 8),
        STATIC_RATE(164, 4);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private QpContextLayout() {}

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, field.widthBytes);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, field.widthBytes, value);
    }

    /** What this queue pair has of a counter, unsigned. */
    public static long counter(MemorySegment memory, long entry, Counter counter) {
        return memory.get(INT, entry + COUNTERS_OFFSET + counter.number() * 4L) & 0xffff_ffffL;
    }

    public static void storeCounter(MemorySegment memory, long entry, int number, int value) {
        memory.set(INT, entry + COUNTERS_OFFSET + number * 4L, value);
    }

    /** Makes the entry valid, or free with {@code number} 0. */
    public static void publishRelease(MemorySegment memory, long entry, int number) {
        Fields.intRelease(memory, entry, number);
    }

    /** The requester's side after a message: hot, one store. */
    public static void writeSqPosition(MemorySegment memory, long entry, int sqHead, int sqPsn) {
        memory.set(LONG, entry + 128, pair(sqHead, sqPsn));
    }

    /** The responder's side after a message: hot, one store. */
    public static void writeRqPosition(MemorySegment memory, long entry, int rqHead, int rqPsn) {
        memory.set(LONG, entry + 192, pair(rqHead, rqPsn));
    }

    private static long pair(int low, int high) {
        return (low & 0xffff_ffffL) | (long) high << 32;
    }

    /** Counts of both sides. */
    public static void writeTraffic(
            MemorySegment memory,
            long entry,
            long sentMessages,
            long sentBytes,
            long receivedMessages,
            long receivedBytes) {
        memory.set(LONG, entry + 136, sentMessages);
        memory.set(LONG, entry + 144, sentBytes);
        memory.set(LONG, entry + 200, receivedMessages);
        memory.set(LONG, entry + 208, receivedBytes);
    }

    /** The requester was refused for want of a receive, or waits for none any more: 0. */
    public static void writeRnr(MemorySegment memory, long entry, int naks, long sinceNanos) {
        memory.set(LONG, entry + 168, sinceNanos);
        Fields.intRelease(memory, entry + 160, naks);
    }
}
