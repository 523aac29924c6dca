package io.hyperverbs.toolstack.walk.step;

import io.hyperverbs.verbs.SendFlags;

import java.util.ArrayList;
import java.util.List;

/**
 * One send request.
 *
 * @param flags {@link SendFlags}; with INLINE the one piece names plain memory
 * @param remote target of one-sided operations, its length unused; ignored by sends
 * @param first immediate data, the value compared with, or the addend
 * @param second the value swapped in
 */
public record SendRequest(
        Verb verb, int flags, List<Place> pieces, Place remote, long first, long second) {
    public SendRequest {
        pieces = List.copyOf(pieces);
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
                Verb.valueOf(words.head()),
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
