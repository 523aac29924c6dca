package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * What the queue pairs of a port or of a context counted that are gone, or that have moved to
 * another port: 576 bytes, little-endian; the last part of the port's or context's entry. Written
 * by the HCA only; read by tools. What live queue pairs counted lies in their own entries.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | txMessages                    |  requests that succeeded
 *    8  | txBytes                       |
 *   16  | rxMessages                    |  one-sided ones too
 *   24  | rxBytes                       |  read ones not
 *   64  | counter 0                     |  Counter.number()
 *  ...  | counter 63                    |
 * </pre>
 *
 * Each is a single store: a reader sees it whole, though not all of one moment.
 */
public final class TotalsLayout {
    public static final int SIZE_BYTES = 64 + 8 * ContextMemoryLayout.COUNTERS;
    static final long COUNTERS_OFFSET = 64;

    /** The totals that are no {@link Counter}. */
    public enum Traffic {
        TX_MESSAGES(0),
        TX_BYTES(8),
        RX_MESSAGES(16),
        RX_BYTES(24);

        private final int offset;

        Traffic(int offset) {
            this.offset = offset;
        }
    }

    private TotalsLayout() {}

    public static long get(MemorySegment memory, long totals, Traffic traffic) {
        return memory.get(LONG, totals + traffic.offset);
    }

    public static long get(MemorySegment memory, long totals, Counter counter) {
        return memory.get(LONG, totals + COUNTERS_OFFSET + counter.number() * 8L);
    }

    public static void add(MemorySegment memory, long totals, Traffic traffic, long amount) {
        memory.set(LONG, totals + traffic.offset, get(memory, totals, traffic) + amount);
    }

    public static void add(MemorySegment memory, long totals, Counter counter, long amount) {
        memory.set(LONG, totals + COUNTERS_OFFSET + counter.number() * 8L, get(memory, totals, counter) + amount);
    }
}
