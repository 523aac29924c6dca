package io.hyperverbs.lab.walk.agent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;

/** Tells which bytes of the memory have changed since it told the last time. */
final class ArenaDelta {
    /** Pieces in which changes are told. */
    private static final int PIECE_BYTES = 64;

    private final MemorySegment arena;
    private final byte[] known;

    ArenaDelta(MemorySegment arena) {
        this.arena = arena;
        this.known = new byte[(int) arena.byteSize()];
    }

    /** The memory was cleared. */
    void reset() {
        Arrays.fill(known, (byte) 0);
    }

    void tell(Consumer<String> told) {
        byte[] now = arena.toArray(ValueLayout.JAVA_BYTE);
        for (int from = 0; from < now.length; from += PIECE_BYTES) {
            int to = from + PIECE_BYTES;
            if (!Arrays.equals(now, from, to, known, from, to)) {
                byte[] piece = Arrays.copyOfRange(now, from, to);
                System.arraycopy(piece, 0, known, from, PIECE_BYTES);
                told.accept("mem " + from + " " + Base64.getEncoder().encodeToString(piece));
            }
        }
    }
}
