package io.hyperverbs.vmm.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Passes bytes on as visible text of several lines: what {@link VisibleText} hides is shown by
 * name, and bytes that are no UTF-8 as {@code \xff}. A character may arrive in pieces: its first
 * bytes wait for the rest, also across {@link #flush}, until {@link #close}. Does not close what it
 * writes to. One thread.
 */
public final class VisibleStream extends OutputStream {
    private static final int CHUNK = 1 << 13;

    private final OutputStream to;
    private final StringBuilder shown = new StringBuilder();
    private final byte[] pending = new byte[4];
    private int held;
    private int wanted;

    public VisibleStream(OutputStream to) {
        this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
        take((byte) b);
        pass();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        for (int i = 0; i < length; i++) {
            take(bytes[offset + i]);
            if (shown.length() >= CHUNK) {
                pass();
            }
        }
        pass();
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }

    /** Shows the bytes of a character that never became whole; leaves the target open. */
    @Override
    public void close() throws IOException {
        giveUp();
        pass();
        flush();
    }

    private void take(byte next) {
        if (held > 0) {
            if ((next & 0xc0) == 0x80) {
                pending[held++] = next;
                if (held == wanted) {
                    whole();
                }
                return;
            }
            giveUp();
        }
        int bytes = bytesOfCharacter(next);
        if (bytes == 1) {
            VisibleText.append(shown, next, true);
        } else if (bytes == 0) {
            VisibleText.appendByte(shown, next);
        } else {
            pending[held++] = next;
            wanted = bytes;
        }
    }

    /** By the first byte; 0 if none begins so (RFC 3629). */
    private static int bytesOfCharacter(byte first) {
        int value = first & 0xff;
        if (value < 0x80) {
            return 1;
        }
        if (value < 0xc2 || value > 0xf4) {
            return 0;
        }
        return value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
    }

    /** Overlong forms, surrogates and numbers beyond U+10FFFF are no characters. */
    private void whole() {
        int codePoint = pending[0] & (0x7f >> wanted);
        for (int i = 1; i < wanted; i++) {
            codePoint = (codePoint << 6) | (pending[i] & 0x3f);
        }
        int least = wanted == 2 ? 0x80 : wanted == 3 ? 0x800 : 0x10000;
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        if (codePoint < least || codePoint > Character.MAX_CODE_POINT || surrogate) {
            giveUp();
            return;
        }
        held = 0;
        VisibleText.append(shown, codePoint, true);
    }

    private void giveUp() {
        for (int i = 0; i < held; i++) {
            VisibleText.appendByte(shown, pending[i]);
        }
        held = 0;
    }

    private void pass() throws IOException {
        if (!shown.isEmpty()) {
            to.write(shown.toString().getBytes(StandardCharsets.UTF_8));
            shown.setLength(0);
        }
    }
}
