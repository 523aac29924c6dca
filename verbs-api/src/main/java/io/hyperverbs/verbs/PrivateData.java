package io.hyperverbs.verbs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that a program puts into a message of the connection manager. Immutable. */
public final class PrivateData {
    /** Bytes a REQ has room for (IBA 12.6.5). */
    public static final int REQ_BYTES = 92;

    /** Bytes a REP has room for. */
    public static final int REP_BYTES = 196;

    /** Bytes a REJ has room for. */
    public static final int REJ_BYTES = 148;

    /** Bytes an RTU has room for. */
    public static final int RTU_BYTES = 224;

    /** Bytes a DREQ has room for. */
    public static final int DREQ_BYTES = 220;

    /** Bytes a DREP has room for. */
    public static final int DREP_BYTES = 224;

    /** Bytes a SIDR_REQ has room for (IBA 12.11.1). */
    public static final int SIDR_REQ_BYTES = 216;

    /** Bytes a SIDR_REP has room for. */
    public static final int SIDR_REP_BYTES = 136;

    private static final PrivateData NONE = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    public static PrivateData none() {
        return NONE;
    }

    /** A copy of {@code bytes}. */
    public static PrivateData of(byte... bytes) {
        return new PrivateData(bytes.clone());
    }

    /** The bytes of a text in UTF-8. */
    public static PrivateData of(String text) {
        return new PrivateData(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return bytes.length;
    }

    /** A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
