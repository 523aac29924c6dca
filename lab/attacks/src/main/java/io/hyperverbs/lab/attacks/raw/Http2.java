package io.hyperverbs.lab.attacks.raw;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Frames of HTTP/2 (RFC 9113) and header blocks without compression (RFC 7541). Stateless. */
public final class Http2 {
    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int WINDOW_UPDATE = 8;
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    public static final int HEAD_BYTES = 9;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Http2() {}

    /** What a client says first. */
    public static byte[] preface() {
        byte[] settings = frame(SETTINGS, 0, 0, new byte[0]);
        byte[] bytes = new byte[PREFACE.length + settings.length];
        System.arraycopy(PREFACE, 0, bytes, 0, PREFACE.length);
        System.arraycopy(settings, 0, bytes, PREFACE.length, settings.length);
        return bytes;
    }

    /** One frame of any type. */
    public static byte[] frame(int type, int flags, int stream, byte[] payload) {
        byte[] frame = new byte[HEAD_BYTES + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[5] = (byte) (stream >> 24);
        frame[6] = (byte) (stream >> 16);
        frame[7] = (byte) (stream >> 8);
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, HEAD_BYTES, payload.length);
        return frame;
    }

    /** The headers of a call as gRPC sends them, and some more. */
    public static byte[] call(String path, Map<String, String> more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, ":method", "POST");
        literal(block, ":scheme", "http");
        literal(block, ":path", path);
        literal(block, ":authority", "localhost");
        literal(block, "content-type", "application/grpc");
        literal(block, "te", "trailers");
        more.forEach((name, value) -> literal(block, name, value));
        return block.toByteArray();
    }

    // A literal that is not to be indexed, with a new name; both shorter than 127 bytes.
    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length >= 127) {
            throw new IllegalArgumentException("header of " + bytes.length + " bytes");
        }
        block.write(bytes.length);
        block.writeBytes(bytes);
    }
}
