package io.hyperverbs.hca.capture;

import org.jspecify.annotations.Nullable;

/** What became of a packet at the port where it was seen. Codes travel in captures. */
public enum PacketFate {
    /** Written to be sent. */
    SENT(1, ""),
    /** Came to the port with a valid ICRC. */
    RECEIVED(2, ""),
    MALFORMED(3, "dropped by the port: no packet that this HCA knows"),
    BAD_ICRC(4, "dropped by the port: the ICRC does not match"),
    LOST(5, "lost on the link (loss): this port never got it"),
    LINK_DOWN(6, "lost on the link, which is down: this port never got it"),
    QUEUE_FULL(7, "dropped by the link's queue, which is full: this port never got it"),
    DELAY_FULL(8, "dropped on the link, too many packets are under way: this port never got it"),
    /** What a message within the HCA would be on a wire. */
    INSIDE(9, ""),
    UNANSWERED(10, "within the HCA, where nobody takes it");

    private final int code;
    private final String words;

    PacketFate(int code, String words) {
        this.code = code;
        this.words = words;
    }

    public int code() {
        return code;
    }

    /** For people; empty of what is as it should be. */
    public String words() {
        return words;
    }

    /** Whether it left by the port. */
    public boolean isOutbound() {
        return this == SENT;
    }

    /** Whether it went over no wire. */
    public boolean isInside() {
        return this == INSIDE || this == UNANSWERED;
    }

    /** The one of that code; null if there is none. */
    public static @Nullable PacketFate of(int code) {
        for (PacketFate fate : values()) {
            if (fate.code == code) {
                return fate;
            }
        }
        return null;
    }
}
