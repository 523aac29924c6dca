package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;

import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * One multicast group's context: 32 bytes, little-endian. Written by the HCA only; read by tools
 * and by a restarted HCA. A group belongs to no domain.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | lid           |  0 = free
 *    8  | gidPrefix                     |
 *   16  | gidInterface                  |
 *   24  | queuePairs    | 0             |  attached
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class McgContextLayout {
    public static final int SIZE_BYTES = 32;

    private McgContextLayout() {}

    /** Writes a whole entry and makes it valid. */
    public static void write(MemorySegment memory, long entry, int number, int lid, Gid gid, int queuePairs) {
        memory.set(INT, entry + 4, lid);
        memory.set(LONG, entry + 8, gid.prefix());
        memory.set(LONG, entry + 16, gid.interfaceId());
        memory.set(LONG, entry + 24, queuePairs & 0xffff_ffffL);
        Fields.intRelease(memory, entry, number);
    }

    /** Frees an entry. */
    public static void clear(MemorySegment memory, long entry) {
        Fields.intRelease(memory, entry, 0);
    }

    public static int lid(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 4);
    }

    public static Gid gid(MemorySegment memory, long entry) {
        return new Gid(memory.get(LONG, entry + 8), memory.get(LONG, entry + 16));
    }

    public static int queuePairs(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 24);
    }
}
