package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The computer a figure belongs to.
 *
 * @param haltPollNanos what the guest kernel polls before it halts a core; {@code absent} without
 *     that driver
 * @param commit of the sources, with {@code -dirty} if they were changed; {@code unknown} outside a
 *     clone
 */
public record Environment(
        int cores, String cpu, String memory, String kernel, String jdk, String haltPollNanos, String commit) {
    private static final Path HALT_POLL = Path.of("/sys/module/haltpoll/parameters/guest_halt_poll_ns");

    /** Looks at this computer; {@code home} is a folder of the clone, if it is one. */
    public static Environment here(Path home) throws InterruptedException {
        return new Environment(
                Runtime.getRuntime().availableProcessors(),
                line(Path.of("/proc/cpuinfo"), "model name"),
                line(Path.of("/proc/meminfo"), "MemTotal"),
                System.getProperty("os.name", "") + " " + System.getProperty("os.version", ""),
                System.getProperty("java.vm.name", "") + " " + Runtime.version(),
                haltPoll(),
                commit(home));
    }

    private static String haltPoll() {
        try {
            return Files.readString(HALT_POLL).strip();
        } catch (IOException e) {
            return "absent";
        }
    }

    private static String line(Path file, String key) {
        try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String commit(Path home) throws InterruptedException {
        String head = git(home, "rev-parse", "--short=12", "HEAD");
        if (head.isEmpty()) {
            return "unknown";
        }
        return git(home, "status", "--porcelain", "--untracked-files=no").isEmpty() ? head : head + "-dirty";
    }

    private static String git(Path home, String... words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", home.toString()));
        command.addAll(List.of(words));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer.strip() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** As in JSON outputs. */
    public ObjectNode json() {
        ObjectNode node = Json.object();
        node.put("cores", cores).put("cpu", cpu);
        node.put("memory_bytes", memoryBytes());
        node.put("kernel", kernel).put("jdk", jdk);
        node.put("halt_poll_ns", number(haltPollNanos)).put("commit", commit);
        return node;
    }

    /** Of {@code 24689764 kB}, as the kernel writes it; null if it wrote something else. */
    private @Nullable Long memoryBytes() {
        Long kibibytes = memory.endsWith(" kB") ? number(memory.replace(" kB", "")) : null;
        return kibibytes == null ? null : kibibytes * 1024;
    }

    private static @Nullable Long number(String text) {
        return text.matches("[0-9]{1,15}") ? Long.valueOf(text) : null;
    }
}
