package io.hyperverbs.backend.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file system of its own in memory, small enough to be filled; gone when it is closed. */
public final class SmallDisk implements AutoCloseable {
    private static final int BLOCK_BYTES = 4096;

    private final Path folder;
    private final Path filler;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.filler = folder.resolve("filler");
    }

    /** Whether this process may mount one. */
    public static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/bin/mount"));
    }

    /** Mounts one of so many MiB on {@code folder}. */
    public static SmallDisk mount(Path folder, int mebibytes) throws IOException {
        run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Takes all of it but so many bytes, or what is left if that is less. */
    public void fillBut(long leftBytes) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (Files.getFileStore(folder).getUsableSpace() > leftBytes) {
                out.write(block);
            }
        } catch (IOException e) {
            if (Files.getFileStore(folder).getUsableSpace() >= BLOCK_BYTES) {
                throw e;
            }
        }
    }

    /** Gives back what was filled. */
    public void empty() throws IOException {
        Files.deleteIfExists(filler);
    }

    @Override
    public void close() throws IOException {
        run("umount", "-l", folder.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // Its output has ended, so it ends now.
        int exitCode = process.onExit().join().exitValue();
        if (exitCode != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
