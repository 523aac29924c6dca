package io.hyperverbs.lab.conformance.rig;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that a case can recognise wherever they land. Callable from any thread. */
public final class Pattern {
    /** What untouched memory holds. */
    public static final byte UNTOUCHED = 0x5a;

    private Pattern() {}

    /** Byte {@code index} of pattern {@code seed}; neighbours and seeds differ. */
    public static byte at(int seed, long index) {
        long mixed = (index + 1) * 0x9e37_79b9_7f4a_7c15L + seed * 0xc2b2_ae3d_27d4_eb4fL;
        return (byte) (mixed >>> 56);
    }

    /** Fills {@code lengthBytes} from {@code offsetBytes} with the pattern from its start. */
    public static void fill(MemorySegment memory, long offsetBytes, long lengthBytes, int seed) {
        for (long i = 0; i < lengthBytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offsetBytes + i, at(seed, i));
        }
    }

    /** Fills all of it with {@link #UNTOUCHED}. */
    public static void blank(MemorySegment memory) {
        memory.fill(UNTOUCHED);
    }

    /** The range holds the pattern from its start. */
    public static void expect(MemorySegment memory, long offsetBytes, long lengthBytes, int seed, String what) {
        for (long i = 0; i < lengthBytes; i++) {
            byte found = memory.get(ValueLayout.JAVA_BYTE, offsetBytes + i);
            if (found != at(seed, i)) {
                throw new AssertionError(
                        what + ": byte " + i + " of " + lengthBytes + " is " + found + ", must be " + at(seed, i));
            }
        }
    }

    /** The range was not written since {@link #blank}. */
    public static void expectBlank(MemorySegment memory, long offsetBytes, long lengthBytes, String what) {
        for (long i = 0; i < lengthBytes; i++) {
            byte found = memory.get(ValueLayout.JAVA_BYTE, offsetBytes + i);
            if (found != UNTOUCHED) {
                throw new AssertionError(what + ": byte " + (offsetBytes + i) + " was written, must be untouched");
            }
        }
    }

    /** The range holds the pattern and everything around it in {@code memory} is untouched. */
    public static void expectAlone(MemorySegment memory, long offsetBytes, long lengthBytes, int seed, String what) {
        expect(memory, offsetBytes, lengthBytes, seed, what);
        expectBlank(memory, 0, offsetBytes, what + ", before it");
        long end = offsetBytes + lengthBytes;
        expectBlank(memory, end, memory.byteSize() - end, what + ", after it");
    }
}
