package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One address handle's context: 64 bytes, 64-byte aligned, little-endian. Written by the HCA only;
 * read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | domain        |  0 = free
 *    8  | pd            | lid           |
 *   16  | serviceLevel  | global        |  global 1: the rest is valid
 *   24  | gidPrefix                     |  of the destination
 *   32  | gidInterface                  |
 *   40  | flowLabel     | sourceGidIndex |
 *   48  | hopLimit      | trafficClass  |
 *   56  | port          | staticRate    |  of the sender, from 1; ibv_rate
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class AhContextLayout {
    public static final int SIZE_BYTES = 64;

    private AhContextLayout() {}

    /** Writes a whole entry and makes it valid. */
    public static void write(MemorySegment memory, long entry, int number, int domain, int pd, AddressAttributes to) {
        memory.asSlice(entry, SIZE_BYTES).fill((byte) 0);
        memory.set(INT, entry + 4, domain);
        memory.set(INT, entry + 8, pd);
        memory.set(INT, entry + 12, to.lid());
        memory.set(INT, entry + 16, to.serviceLevel());
        memory.set(INT, entry + 56, to.port());
        memory.set(INT, entry + 60, to.staticRate());
        GlobalRoute route = to.route();
        if (route != null) {
            memory.set(INT, entry + 20, 1);
            memory.set(LONG, entry + 24, route.destination().prefix());
            memory.set(LONG, entry + 32, route.destination().interfaceId());
            memory.set(INT, entry + 40, route.flowLabel());
            memory.set(INT, entry + 44, route.sourceGidIndex());
            memory.set(INT, entry + 48, route.hopLimit());
            memory.set(INT, entry + 52, route.trafficClass());
        }
        Fields.intRelease(memory, entry, number);
    }

    /** Frees an entry. */
    public static void clear(MemorySegment memory, long entry) {
        Fields.intRelease(memory, entry, 0);
    }

    public static int number(MemorySegment memory, long entry) {
        return Fields.intAcquire(memory, entry);
    }

    public static int domain(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 4);
    }

    public static int pd(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 8);
    }

    public static int lid(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 12);
    }

    /** Of the destination; null without a global route. */
    public static @Nullable Gid gid(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 20) == 0
                ? null
                : new Gid(memory.get(LONG, entry + 24), memory.get(LONG, entry + 32));
    }

    public static int port(MemorySegment memory, long entry) {
        return memory.get(INT, entry + 56);
    }
}
