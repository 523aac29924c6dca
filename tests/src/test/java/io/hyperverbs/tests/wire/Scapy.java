package io.hyperverbs.tests.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Scapy, by a script of ours and the Python of the system, for which Debian packages it. */
final class Scapy {
    private static final Path PYTHON = Path.of("/usr/bin/python3");

    /** Packages of the system alone. */
    private static final String ISOLATED = "-I";

    private static final String SCRIPT = "src/test/resources/wire/scapy_judge.py";
    private static final Duration DEADLINE = Duration.ofMinutes(60);

    private Scapy() {}

    static boolean isInstalled() throws InterruptedException {
        try {
            return Files.isExecutable(PYTHON)
                    && new ProcessBuilder(PYTHON.toString(), ISOLATED, "-c", "import scapy.contrib.roce")
                                    .redirectErrorStream(true)
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                    .start()
                                    .waitFor()
                            == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** Runs the script in one process; each line that it prints is a packet, words of name and value. */
    static List<Map<String, String>> judge(Path folder, List<String> input, String... args)
            throws IOException, InterruptedException {
        Path given = Files.write(folder.resolve("scapy.in"), input);
        Path printed = folder.resolve("scapy.out");
        Path errors = folder.resolve("scapy.err");
        List<String> command = new ArrayList<>(List.of(PYTHON.toString(), ISOLATED, SCRIPT));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectInput(given.toFile())
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            if (!process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
                throw new AssertionError("Scapy did not end well: " + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        List<Map<String, String>> packets = new ArrayList<>();
        for (String line : Files.readAllLines(printed)) {
            Map<String, String> packet = new HashMap<>();
            for (String word : line.split(" ")) {
                int equals = word.indexOf('=');
                packet.put(word.substring(0, equals), word.substring(equals + 1));
            }
            packets.add(packet);
        }
        return packets;
    }
}
