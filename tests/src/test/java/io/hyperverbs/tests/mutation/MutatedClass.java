package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A class that PIT changes.
 *
 * @param name with its package
 */
record MutatedClass(Part part, String name) {
    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** With the classes inside it, and not those whose names begin alike. */
    String pattern() {
        return name + "," + name + "$*";
    }

    /** SHA-256 of its source. */
    String digest() throws IOException {
        Path source = part.folder().resolve("src/main/java").resolve(name.replace('.', '/') + ".java");
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(source)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }
}
