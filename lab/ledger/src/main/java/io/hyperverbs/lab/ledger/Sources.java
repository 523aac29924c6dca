package io.hyperverbs.lab.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Files and folders of the tree, named from its root. Any thread. */
public final class Sources {
    private static final Path ROOT = root();

    private Sources() {}

    /** A file or folder of the tree. */
    public static Path file(String name) {
        return ROOT.resolve(name);
    }

    /**
     * SHA-256 of a source, or of all sources in a folder and below with their names. Of a Java source that of its code
     * ({@link JavaCode}): comments change nothing that a test could see.
     */
    public static String digest(String name) throws IOException {
        return HexFormat.of().formatHex(bytes(name));
    }

    /**
     * What random tests draw from: {@code -Dseed}, else a number that is the same for the same
     * sources of the product, so that a failure is found again in the commit that it came with.
     */
    public static long seed() {
        String given = System.getProperty("seed");
        if (given != null) {
            return Long.parseLong(given);
        }
        try (Stream<Path> modules = Files.list(ROOT)) {
            MessageDigest all = sha256();
            for (Path module : modules.sorted().toList()) {
                if (Files.isDirectory(module.resolve("src/main"))) {
                    all.update(bytes(ROOT.relativize(module.resolve("src/main")).toString()));
                }
            }
            return Integer.toUnsignedLong(ByteBuffer.wrap(all.digest()).getInt());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String name) throws IOException {
        Path source = file(name);
        MessageDigest digest = sha256();
        if (Files.isRegularFile(source)) {
            return digest.digest(contents(source));
        }
        try (Stream<Path> below = Files.walk(source)) {
            List<Path> files = below.filter(Files::isRegularFile).sorted().toList();
            for (Path file : files) {
                digest.update(source.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                digest.update(contents(file));
            }
        }
        return digest.digest();
    }

    private static byte[] contents(Path file) throws IOException {
        return file.toString().endsWith(".java")
                ? JavaCode.of(Files.readString(file)).getBytes(StandardCharsets.UTF_8)
                : Files.readAllBytes(file);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }

    /** Tests run in the folder of their module. */
    private static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("ARCHITECTURE.md"))) {
                return folder;
            }
        }
        throw new IllegalStateException("this is no module of the tree");
    }
}
