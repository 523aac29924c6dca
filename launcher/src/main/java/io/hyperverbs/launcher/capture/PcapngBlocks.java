package io.hyperverbs.launcher.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Blocks of a pcapng file, whole ones alone, until they are written out. Little-endian. One thread. */
final class PcapngBlocks {
    private static final int END_OF_OPTIONS = 0;
    private static final int COMMENT = 1;
    private static final int MAX_OPTION_BYTES = 0xffff;

    private ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    private int begin;

    void begin(int type) {
        begin = bytes.position();
        putInt(type);
        putInt(0);
    }

    /** Ends options and block. */
    void end() {
        putShort(END_OF_OPTIONS);
        putShort(0);
        int length = bytes.position() + Integer.BYTES - begin;
        putInt(length);
        bytes.putInt(begin + Integer.BYTES, length);
    }

    void putShort(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    void putInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    void putLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    /** A time or another number of 64 bits that pcapng has upper half first. */
    void putHalves(long value) {
        putInt((int) (value >>> 32));
        putInt((int) value);
    }

    void putPadded(byte[] value, int length) {
        int padding = -length & 3;
        room(length + padding).put(value, 0, length).put(new byte[padding]);
    }

    /** What does not fit into an option is cut off. */
    void option(int code, byte[] value) {
        int length = Math.min(value.length, MAX_OPTION_BYTES);
        putShort(code);
        putShort(length);
        putPadded(value, length);
    }

    void option(int code, String text) {
        option(code, text.getBytes(StandardCharsets.UTF_8));
    }

    /** An option with a counter, or with a time. */
    void option(int code, long value) {
        putShort(code);
        putShort(Long.BYTES);
        putLong(value);
    }

    /** An option with four bytes. */
    void word(int code, int value) {
        putShort(code);
        putShort(Integer.BYTES);
        putInt(value);
    }

    void comments(Iterable<String> comments) {
        for (String comment : comments) {
            option(COMMENT, comment);
        }
    }

    int size() {
        return bytes.position();
    }

    void writeTo(OutputStream out) throws IOException {
        int length = bytes.position();
        bytes.clear();
        out.write(bytes.array(), 0, length);
        out.flush();
    }

    private ByteBuffer room(int length) {
        if (bytes.remaining() < length) {
            int capacity = Math.max(2 * bytes.capacity(), bytes.position() + length);
            bytes = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
        }
        return bytes;
    }
}
