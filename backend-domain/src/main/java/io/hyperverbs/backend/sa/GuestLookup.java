package io.hyperverbs.backend.sa;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a guest that somebody looks for.
 *
 * @param guest null unless it is FOUND
 * @param silent how many HCAs have not answered, if it is NOBODY
 */
public record GuestLookup(State state, @Nullable RemoteGuest guest, int silent) {
    static final GuestLookup ASKED = new GuestLookup(State.ASKED, null, 0);
    static final GuestLookup BUSY = new GuestLookup(State.BUSY, null, 0);
    /** There is none that could be asked for. */
    public static final GuestLookup NOBODY = nobody(0);

    /** How far it is. */
    public enum State {
        FOUND,
        /** No HCA that answers has it. */
        NOBODY,
        /** HCAs are being asked: it is known in a moment. */
        ASKED,
        /** Who looks has too many to look for. */
        BUSY
    }

    public static GuestLookup found(RemoteGuest guest) {
        return new GuestLookup(State.FOUND, guest, 0);
    }

    static GuestLookup nobody(int silent) {
        return new GuestLookup(State.NOBODY, null, silent);
    }
}
