package io.hyperverbs.vmm.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A network namespace with {@code lo} up. It is there as long as the process that keeps it, which ends with the VMM, or
 * somebody is in it. For root. Any thread.
 */
public final class KeptNamespace implements AutoCloseable {
    /** Its argument brings {@code lo} up. */
    private static final String SCRIPT = "\"$1\" && echo up && read -r line";

    private final Process keeper;

    private KeptNamespace(Process keeper) {
        this.keeper = keeper;
    }

    /**
     * Makes one.
     *
     * @param folder for a file that is gone again afterwards
     * @throws IOException if the computer refuses a network namespace
     */
    public static KeptNamespace make(Path folder) throws IOException {
        Path program = Files.createTempFile(folder, "up", "");
        LoopbackProgram.write(program);
        try {
            Process process = new ProcessBuilder(
                            Tools.get("unshare"), "--net", Tools.get("sh"), "-c", SCRIPT, "network", program.toString())
                    .redirectErrorStream(true)
                    .start();
            // It is not closed: what the keeper waits for is the end of its input, and that comes with our own end.
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = output.readLine();
            if (!"up".equals(line)) {
                process.destroyForcibly();
                throw new IOException("no network for executables: " + line);
            }
            return new KeptNamespace(process);
        } finally {
            Files.deleteIfExists(program);
        }
    }

    /** Its file, by which others enter it. */
    public Path file() {
        return Path.of("/proc", Long.toString(keeper.pid()), "ns", "net");
    }

    /** Folder in which the kernel lists what it has in it, proc_pid_net(5). */
    public Path lists() {
        return Path.of("/proc", Long.toString(keeper.pid()), "net");
    }

    /** Whoever is in it keeps it until they end. */
    @Override
    public void close() {
        keeper.destroyForcibly();
    }
}
