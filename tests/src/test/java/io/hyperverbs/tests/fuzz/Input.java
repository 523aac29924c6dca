package io.hyperverbs.tests.fuzz;

import java.nio.charset.StandardCharsets;

/** The bytes of one input, read from the front; zero where they have ended. */
final class Input {
    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    int nextByte() {
        return at < bytes.length ? bytes[at++] & 0xff : 0;
    }

    int nextInt() {
        return nextByte() | nextByte() << 8 | nextByte() << 16 | nextByte() << 24;
    }

    long nextLong() {
        return (nextInt() & 0xffff_ffffL) | (long) nextInt() << 32;
    }

    /** 0 to {@code bound} - 1, {@code bound} up to 256. */
    int below(int bound) {
        return nextByte() % bound;
    }

    byte[] next(int count) {
        byte[] some = new byte[Math.min(count, bytes.length - at)];
        System.arraycopy(bytes, at, some, 0, some.length);
        at += some.length;
        return some;
    }

    byte[] rest() {
        return next(bytes.length);
    }

    String restAsText() {
        return new String(rest(), StandardCharsets.UTF_8);
    }
}
