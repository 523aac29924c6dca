package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * What a send work queue entry says about memory windows, in the fields of {@link SendWqeLayout}
 * that the other operations use. Written by the guest only; the HCA looks at its copy alone.
 *
 * <pre>
 *  byte   +0              +4
 *   12                  | rkey          |  LOCAL_INV, SEND_WITH_INV: the key to end
 *   16  | address                       |  BIND_MW, and so to 44: first byte, in the region's addresses
 *   24  | rkey          | lkey          |  the window's new key; a key of the region
 *   32  | lengthBytes                   |
 *   40  | access        | 0             |  Access.mask
 * </pre>
 *
 * A bind has no segments. Publishing: as {@link SendWqeLayout}.
 */
public final class WindowWqeLayout {
    static final long INVALIDATED_OFFSET = SendWqeLayout.IMMEDIATE_OFFSET;
    static final long ADDRESS_OFFSET = 16;
    static final long RKEY_OFFSET = 24;
    static final long LKEY_OFFSET = 28;
    static final long LENGTH_OFFSET = 32;
    static final long ACCESS_OFFSET = 40;

    private WindowWqeLayout() {}

    /** After {@link SendWqeLayout#writeHead}. */
    public static void writeInvalidated(MemorySegment ring, long wqe, int rkey) {
        ring.set(INT, wqe + INVALIDATED_OFFSET, rkey);
    }

    /** After {@link SendWqeLayout#writeHead}. */
    public static void writeBind(
            MemorySegment ring, long wqe, int rkey, int lkey, long address, long lengthBytes, int access) {
        ring.set(LONG, wqe + ADDRESS_OFFSET, address);
        ring.set(INT, wqe + RKEY_OFFSET, rkey);
        ring.set(INT, wqe + LKEY_OFFSET, lkey);
        ring.set(LONG, wqe + LENGTH_OFFSET, lengthBytes);
        ring.set(INT, wqe + ACCESS_OFFSET, access);
    }

    public static int invalidated(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + INVALIDATED_OFFSET);
    }

    public static long address(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + ADDRESS_OFFSET);
    }

    public static int rkey(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + RKEY_OFFSET);
    }

    public static int lkey(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + LKEY_OFFSET);
    }

    public static long lengthBytes(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + LENGTH_OFFSET);
    }

    public static int access(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + ACCESS_OFFSET);
    }
}
