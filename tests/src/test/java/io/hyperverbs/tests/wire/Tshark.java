package io.hyperverbs.tests.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Wireshark's dissectors, as the command {@code tshark}. */
public final class Tshark {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String SEPARATOR = "\t";

    /** What takes any payload that looks like its own, such as one that begins with a small number. */
    private static final List<String> GUESSES = List.of(
            "rpcordma", "smc", "smb_direct", "nvme-rdma", "lnet", "iser", "infiniband.eoib", "infiniband_sdp", "fcoib");

    private Tshark() {}

    public static boolean isInstalled() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark")));
    }

    /** Of each packet the fields that it has. */
    public static List<Map<String, String>> dissect(Path capture, List<String> fields)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString(), "-T", "fields"));
        command.addAll(List.of("-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=;"));
        command.addAll(List.of("-o", "ip.check_checksum:TRUE"));
        GUESSES.forEach(guess -> command.addAll(List.of("--disable-protocol", guess)));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        List<Map<String, String>> packets = new ArrayList<>();
        for (String line : run(command, capture.resolveSibling("tshark.out"))) {
            String[] values = line.split(SEPARATOR, -1);
            Map<String, String> packet = new HashMap<>();
            for (int i = 0; i < fields.size(); i++) {
                if (!values[i].isEmpty()) {
                    packet.put(fields.get(i), values[i]);
                }
            }
            packets.add(packet);
        }
        return packets;
    }

    /** The list of packets as people see it: a line for each. */
    public static List<String> list(Path capture) throws IOException, InterruptedException {
        return run(List.of("tshark", "-n", "-r", capture.toString()), capture.resolveSibling("tshark.out"));
    }

    /** Warns on standard error when root runs it, which says nothing here. */
    private static List<String> run(List<String> command, Path output) throws IOException, InterruptedException {
        Path errors = output.resolveSibling("tshark.err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        // What the user has set in Wireshark is not asked.
        builder.environment().put("WIRESHARK_CONFIG_DIR", output.getParent().toString());
        Process process = builder.start();
        try {
            if (!process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
                throw new AssertionError("tshark did not end well: " + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }
}
