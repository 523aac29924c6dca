package io.hyperverbs.verbs;

/** What atomic operations are atomic against ({@code ibv_atomic_cap}). */
public enum AtomicCap {
    /** There are none. */
    NONE(0),
    /** Against other atomics of the same HCA. */
    HCA(1),
    /** Against every access to memory. */
    GLOB(2);

    private static final AtomicCap[] BY_CODE = values();

    private final int code;

    AtomicCap(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The level with that code; an unknown code is {@link #NONE}. */
    public static AtomicCap of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : NONE;
    }
}
