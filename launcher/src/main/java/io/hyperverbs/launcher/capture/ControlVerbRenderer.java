package io.hyperverbs.launcher.capture;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes a packet of a control verb, which crosses no wire: a line of text behind the tags of
 * Wireshark's exported PDUs, so that it is listed among the packets with protocol {@code VERBS} and
 * its text. Wireshark before 4.2 has the text in the packet's tree alone, not in the list; a comment
 * of the packet is seen in every version. For {@link CaptureInterface.LinkType#UPPER_PDU}.
 * Stateless.
 */
public final class ControlVerbRenderer {
    private static final int END_OF_TAGS = 0;
    private static final int DISSECTOR = 12;
    private static final int PROTOCOL_COLUMN = 33;
    private static final int INFO_COLUMN = 36;
    private static final int TAG_BYTES = 4;
    private static final int MAX_COLUMN_BYTES = 1024;

    private static final byte[] LINES_OF_TEXT = padded("data-text-lines".getBytes(StandardCharsets.UTF_8));
    private static final byte[] VERBS = padded("VERBS".getBytes(StandardCharsets.UTF_8));

    private ControlVerbRenderer() {}

    /** A packet with this text, one line or several. */
    public static byte[] render(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] column = padded(Arrays.copyOf(bytes, Math.min(bytes.length, MAX_COLUMN_BYTES)));
        int tags = 4 * TAG_BYTES + LINES_OF_TEXT.length + VERBS.length + column.length;
        ByteBuffer packet = ByteBuffer.allocate(tags + bytes.length);
        tag(packet, DISSECTOR, LINES_OF_TEXT);
        tag(packet, PROTOCOL_COLUMN, VERBS);
        tag(packet, INFO_COLUMN, column);
        tag(packet, END_OF_TAGS, new byte[0]);
        return packet.put(bytes).array();
    }

    private static void tag(ByteBuffer packet, int tag, byte[] value) {
        packet.putShort((short) tag).putShort((short) value.length).put(value);
    }

    /** With zeros up to a multiple of four, at least one. */
    private static byte[] padded(byte[] value) {
        return Arrays.copyOf(value, (value.length + TAG_BYTES) & -TAG_BYTES);
    }
}
