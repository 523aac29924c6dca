package io.hyperverbs.verbs;

/**
 * A remote key of its own for a part of a region ({@code ibv_mw}), bound and unbound by work
 * requests. Destroying it unbinds it. Callable from any thread.
 */
public interface MemoryWindow extends VerbsObject {
    /** How it is bound ({@code ibv_mw_type}). */
    enum Type {
        /** By {@link QueuePair#bind}, which makes a new key each time; open to all of the PD. */
        ONE(1),
        /**
         * By {@link SendPoster#bindWindow}, to a key whose tag the program chooses; open to the
         * peer of the queue pair it was bound through alone, and ended by invalidation.
         */
        TWO(2);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        public static boolean isCode(long code) {
            return code == 1 || code == 2;
        }

        /**
         * The type with that code.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Type of(int code) {
            return switch (code) {
                case 1 -> ONE;
                case 2 -> TWO;
                default -> throw new IllegalArgumentException("window type " + code);
            };
        }
    }

    ProtectionDomain pd();

    Type type();

    /**
     * The key of the last bind that was posted, for peers; until a bind has completed it opens
     * nothing. Its upper 24 bits never change.
     */
    int rkey();

    /** {@code rkey} with the next tag ({@code ibv_inc_rkey}). */
    static int nextKey(int rkey) {
        return (rkey & ~0xff) | ((rkey + 1) & 0xff);
    }
}
