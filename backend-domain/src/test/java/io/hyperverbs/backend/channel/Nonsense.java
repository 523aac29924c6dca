package io.hyperverbs.backend.channel;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/** Bytes that are no request: what a hostile guest might put into a message. */
final class Nonsense {
    private static final int DEPTH = 20_000;

    private Nonsense() {}

    static List<byte[]> messages() {
        byte[] random = new byte[4096];
        new Random(5).nextBytes(random);
        return List.of(
                nested(),
                // open_context, whose length is longer than the message.
                new byte[] {8, 1, 82, 127, 1},
                // A length that is negative.
                new byte[] {8, 1, 82, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
                // A varint without an end.
                new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
                // The end of a group that never began.
                new byte[] {(9 << 3) | 4},
                // management.register_service.name that is no UTF-8.
                new byte[] {8, 1, (byte) 0xc2, 7, 4, 0x7a, 2, 0x12, 0, 0},
                // Unknown fields alone.
                new byte[] {(byte) 0xf8, 0x3f, 1, (byte) 0xfa, 0x3f, 3, 1, 2, 3},
                random);
    }

    /** Groups in groups: a parser that follows them all runs out of stack. */
    private static byte[] nested() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < DEPTH; i++) {
            bytes.write((9 << 3) | 3);
        }
        return bytes.toByteArray();
    }
}
