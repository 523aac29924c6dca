package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The HCA's context memory: a head of 4096 bytes, then the tables of fixed-size entries, each on a
 * 4096-byte boundary; little-endian. Written by the HCA only; read by tools, which map it
 * read-only, and by the HCA of a restarted backend.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | magic "HVCX"  | version       |
 *    8  | totalBytes                    |
 *   16  | offset of the QP table        |  from the head
 *   24  | entryBytes    | entryCount    |
 *   32  | CQ table: the same            |
 *   48  | region table: the same        |
 *   64  | PD table: the same            |
 *   80  | UAR table: the same           |
 *   96  | shared receive queue table: the same |
 *  112  | AH table: the same            |
 *  128  | memory window table: the same |
 *  144  | XRC domain table: the same    |
 *  160  | multicast group table: the same |
 *  176  | link table: the same          |
 *  192  | lid           | mtuBytes      |
 *  256  | counter 0                     |  Counter.number()
 *  ...  | counter 63                    |
 * 1024  | ports, PortContextLayout      |  from port 1, 640 bytes each
 *  ...  |                               |
 * 2560  | pkeyCount     | maxCqe        |  entries of each port's P_Key table
 * 2568  | P_Key 0       | P_Key 1       |
 *  ...  | P_Key 126     | P_Key 127     |
 * 4096  | tables                        |
 * </pre>
 *
 * An entry is in use while its first int is not 0; that int is stored last on creation and cleared
 * first on destruction, both with release. Counters and the other fields are single stores: a
 * reader sees each whole, though not all of one moment.
 */
public final class ContextMemoryLayout {
    public static final int MAGIC = 0x58435648;
    public static final int VERSION = 6;
    public static final long HEAD_BYTES = 4096;
    public static final int COUNTERS = 64;

    /** Places for tables in the head. */
    public static final int TABLES = 11;

    static final long MAGIC_OFFSET = 0;
    static final long VERSION_OFFSET = 4;
    static final long TOTAL_BYTES_OFFSET = 8;
    static final long TABLES_OFFSET = 16;
    static final long TABLE_BYTES = 16;
    static final long LID_OFFSET = 192;
    static final long MTU_OFFSET = 196;
    static final long COUNTERS_OFFSET = 256;
    static final long PORTS_OFFSET = 1024;
    static final long PKEY_COUNT_OFFSET = 2560;
    static final long MAX_CQE_OFFSET = 2564;
    static final long PKEYS_OFFSET = 2568;

    /** The tables, in the order they lie in. */
    public enum Table {
        QP(0, QpContextLayout.SIZE_BYTES),
        CQ(1, CqContextLayout.SIZE_BYTES),
        REGION(2, RegionContextLayout.SIZE_BYTES),
        PD(3, PdContextLayout.SIZE_BYTES),
        UAR(4, UarContextLayout.SIZE_BYTES),
        SRQ(5, SrqContextLayout.SIZE_BYTES),
        AH(6, AhContextLayout.SIZE_BYTES),
        MCG(9, McgContextLayout.SIZE_BYTES),
        MW(7, MwContextLayout.SIZE_BYTES),
        XRCD(8, XrcdContextLayout.SIZE_BYTES),
        LINK(10, LinkContextLayout.SIZE_BYTES);

        private final int number;
        private final int entryBytes;

        Table(int number, int entryBytes) {
            this.number = number;
            this.entryBytes = entryBytes;
        }

        /** Its place in the head, from 0. */
        public int number() {
            return number;
        }

        private long head() {
            return TABLES_OFFSET + number * TABLE_BYTES;
        }
    }

    private ContextMemoryLayout() {}

    /** Entries of each table, by {@link Table#number}; what is not named has none. */
    public static int[] counts(Map<Table, Integer> entries) {
        int[] counts = new int[TABLES];
        entries.forEach((table, count) -> counts[table.number] = count);
        return counts;
    }

    /** Bytes of context memory for tables of so many entries, a multiple of 4096. */
    public static long totalBytes(int[] counts) {
        long total = HEAD_BYTES;
        for (Table table : Table.values()) {
            total += tableBytes(table, counts[table.number]);
        }
        return total;
    }

    /** Writes the head over zeroed memory; the magic last, with release. */
    public static void format(MemorySegment memory, long base, int[] counts) {
        long offset = HEAD_BYTES;
        for (Table table : Table.values()) {
            int count = counts[table.number];
            memory.set(LONG, base + table.head(), offset);
            memory.set(INT, base + table.head() + 8, table.entryBytes);
            memory.set(INT, base + table.head() + 12, count);
            offset += tableBytes(table, count);
        }
        memory.set(LONG, base + TOTAL_BYTES_OFFSET, offset);
        ORDERED_LONG.setRelease(memory, base + MAGIC_OFFSET, (long) VERSION << 32 | (MAGIC & 0xffff_ffffL));
    }

    /** Says which port the HCA has. */
    public static void writePort(MemorySegment memory, long base, int lid, int mtuBytes) {
        memory.set(INT, base + LID_OFFSET, lid);
        memory.set(INT, base + MTU_OFFSET, mtuBytes);
    }

    /** Says what the ports' P_Key tables have, at most 128 entries, and how large a CQ may be. */
    public static void writeHca(MemorySegment memory, long base, List<Integer> pkeys, int maxCqe) {
        memory.set(INT, base + PKEY_COUNT_OFFSET, pkeys.size());
        memory.set(INT, base + MAX_CQE_OFFSET, maxCqe);
        for (int i = 0; i < pkeys.size(); i++) {
            memory.set(INT, base + PKEYS_OFFSET + i * 4L, pkeys.get(i));
        }
    }

    /** The P_Key table of each port. */
    public static List<Integer> pkeys(MemorySegment memory, long base) {
        List<Integer> pkeys = new ArrayList<>();
        for (int i = 0; i < memory.get(INT, base + PKEY_COUNT_OFFSET); i++) {
            pkeys.add(memory.get(INT, base + PKEYS_OFFSET + i * 4L));
        }
        return pkeys;
    }

    public static int maxCqe(MemorySegment memory, long base) {
        return memory.get(INT, base + MAX_CQE_OFFSET);
    }

    /** Whether the head is one this code understands. */
    public static boolean isFormatted(MemorySegment memory, long base) {
        return memory.get(INT, base + MAGIC_OFFSET) == MAGIC && memory.get(INT, base + VERSION_OFFSET) == VERSION;
    }

    public static long totalBytes(MemorySegment memory, long base) {
        return memory.get(LONG, base + TOTAL_BYTES_OFFSET);
    }

    public static int lid(MemorySegment memory, long base) {
        return memory.get(INT, base + LID_OFFSET);
    }

    public static int mtuBytes(MemorySegment memory, long base) {
        return memory.get(INT, base + MTU_OFFSET);
    }

    /** Entries a table has, in use or not. */
    public static int entryCount(MemorySegment memory, long base, Table table) {
        return memory.get(INT, base + table.head() + 12);
    }

    /** Byte offset in {@code memory} of an entry, as the head says. */
    public static long entry(MemorySegment memory, long base, Table table, int index) {
        long offset = memory.get(LONG, base + table.head());
        long entryBytes = memory.get(INT, base + table.head() + 8);
        return base + offset + index * entryBytes;
    }

    /** Byte offset of a port's entry, {@link PortContextLayout}; {@code port} from 1. */
    public static long port(long base, int port) {
        return base + PORTS_OFFSET + (port - 1L) * PortContextLayout.SIZE_BYTES;
    }

    /** Whether an entry of any table is in use. */
    public static boolean isInUse(MemorySegment memory, long entry) {
        return Fields.intAcquire(memory, entry) != 0;
    }

    public static long counter(MemorySegment memory, long base, Counter counter) {
        return memory.get(LONG, base + COUNTERS_OFFSET + counter.number() * 8L);
    }

    public static void storeCounter(MemorySegment memory, long base, int number, long value) {
        memory.set(LONG, base + COUNTERS_OFFSET + number * 8L, value);
    }

    private static long tableBytes(Table table, int count) {
        return ((long) table.entryBytes * count + 4095) & ~4095L;
    }
}
