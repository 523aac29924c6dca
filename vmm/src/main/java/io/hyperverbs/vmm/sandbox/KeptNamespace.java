package io.hyperverbs.vmm.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace with {@code lo} up. It is there as long as the process that keeps it, which ends with the VMM, or
 * somebody is in it. Where the sandbox is an ordinary user's it belongs to a user namespace that is kept with it; who
 * enters both may change the network, and loses that right in a user namespace below. Any thread.
 */
public final class KeptNamespace implements AutoCloseable {
    /** Its argument brings {@code lo} up. */
    private static final String SCRIPT = "\"$1\" && echo up && read -r line";

    private final Process keeper;
    private final SandboxTier tier;

    private KeptNamespace(Process keeper, SandboxTier tier) {
        this.keeper = keeper;
        this.tier = tier;
    }

    /**
     * Makes one.
     *
     * @param folder for a file that is gone again afterwards
     * @param tier of the sandbox whose guests are to enter it, which has namespaces
     * @throws IOException if the computer refuses a network namespace
     */
    public static KeptNamespace make(Path folder, SandboxTier tier) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Tools.get("unshare"));
        if (tier == SandboxTier.USER) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        Path program = Files.createTempFile(folder, "up", "");
        command.addAll(List.of("--net", Tools.get("sh"), "-c", SCRIPT, "network", program.toString()));
        LoopbackProgram.write(program);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            // It is not closed: what the keeper waits for is the end of its input, and that comes with our own end.
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = output.readLine();
            if (!"up".equals(line)) {
                process.destroyForcibly();
                throw new IOException("no network namespace: " + line);
            }
            return new KeptNamespace(process, tier);
        } finally {
            Files.deleteIfExists(program);
        }
    }

    /** That of the sandbox whose guests enter it. */
    SandboxTier tier() {
        return tier;
    }

    /** Its file, by which others enter it. */
    public Path file() {
        return Path.of("/proc", Long.toString(keeper.pid()), "ns", "net");
    }

    /**
     * What has a command run in a namespace of that file; in the user namespace that it belongs to, with all rights over
     * it, where the sandbox is an ordinary user's.
     */
    static List<String> enter(Path file, SandboxTier tier) {
        String nsenter = Tools.get("nsenter");
        return tier == SandboxTier.USER
                ? List.of(nsenter, "--preserve-credentials", "--user=" + file.resolveSibling("user"), "--net=" + file)
                : List.of(nsenter, "--net=" + file);
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
