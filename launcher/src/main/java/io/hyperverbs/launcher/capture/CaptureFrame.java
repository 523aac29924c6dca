package io.hyperverbs.launcher.capture;

import java.util.List;

/**
 * A packet of a capture.
 *
 * @param bytes as its interface's link type says
 * @param wholeBytes of the packet, of which {@code bytes} may be the beginning
 * @param direction which way it went by the interface
 * @param comments each up to 65535 bytes of UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes that nobody compares.
public record CaptureFrame(byte[] bytes, int wholeBytes, Direction direction, List<String> comments) {
    /** Which way a packet goes by an interface. */
    public enum Direction {
        UNKNOWN(0),
        INBOUND(1),
        OUTBOUND(2);

        private final int code;

        Direction(int code) {
            this.code = code;
        }

        /** Its number in pcapng. */
        int code() {
            return code;
        }
    }
}
