package io.hyperverbs.lab.walk.step;

import io.hyperverbs.verbs.SendFlags;
import java.util.ArrayList;
import java.util.List;

/**
 * One send request.
 *
 * @param flags {@link SendFlags}; with INLINE the one piece names plain memory
 * @param remote target of one-sided operations, its length unused; of a bind what the window is to
 *     show; of invalidations the key that ends; of datagrams the slots of address handle and queue
 *     pair, and the Q_Key as length; ignored by other sends
 * @param first immediate data, the value compared with, the addend, or the slot of the window bound
 * @param second the value swapped in, or of a bind what {@link #binding} makes
 */
public record SendRequest(StepVerb verb, int flags, List<Place> pieces, Place remote, long first, long second) {
    public SendRequest {
        pieces = List.copyOf(pieces);
    }

    /** Rights and tag of a window that is bound. */
    public static long binding(int access, int tag) {
        return ((long) access << 8) | (tag & 0xff);
    }

    /** The slot of the window that is bound. */
    public int window() {
        return (int) first;
    }

    /** The tag that a window of type 2 is bound to, counted from the one it began with. */
    public int bindTag() {
        return (int) (second & 0xff);
    }

    /** Rights that a window is bound with. */
    public int bindAccess() {
        return (int) (second >> 8);
    }

    public long lengthBytes() {
        return pieces.stream().mapToLong(Place::length).sum();
    }

    public boolean isInline() {
        return (flags & SendFlags.INLINE) != 0;
    }

    String format() {
        return verb
                + " flags="
                + flags
                + " from="
                + list(pieces)
                + " to="
                + remote.format()
                + " first="
                + first
                + " second="
                + second;
    }

    static SendRequest parse(String text) {
        Words words = new Words(text);
        return new SendRequest(
                StepVerb.valueOf(words.head()),
                words.number("flags"),
                places(words.text("from")),
                Place.parse(words.text("to")),
                words.wide("first"),
                words.wide("second"));
    }

    static String list(List<Place> places) {
        return places.isEmpty()
                ? "-"
                : String.join(",", places.stream().map(Place::format).toList());
    }

    static List<Place> places(String text) {
        List<Place> places = new ArrayList<>();
        if (!text.equals("-")) {
            for (String word : text.split(",", -1)) {
                places.add(Place.parse(word));
            }
        }
        return places;
    }
}
