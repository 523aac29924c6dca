package io.hyperverbs.vmm.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the strongest sandbox that works here, by starting a JVM in it. Callable from any thread;
 * the answer is found once per process.
 */
public final class SandboxProbe {
    /** User that a probe in tier 2 becomes; no domain has it. */
    private static final int PROBE_UID = 199_999;

    private static final long TIMEOUT_SECONDS = 20;
    private static final int MAX_REASON = 160;

    private SandboxProbe() {}

    /** Holds the answer: made on first use. */
    private static final class Answer {
        static final SandboxReport REPORT = probe(candidates(isRoot()), Path.of(System.getProperty("java.home")));
    }

    public static SandboxReport probe() {
        return Answer.REPORT;
    }

    /** The same among some alone. */
    public static SandboxReport probe(SandboxChoice wanted) {
        return probe(
                candidates(isRoot()).stream().filter(wanted::allows).toList(),
                Path.of(System.getProperty("java.home")));
    }

    /** Each that works here, strongest first: what tests of a sandbox's promises go through. */
    public static List<SandboxChoice> working() {
        Path javaHome = Path.of(System.getProperty("java.home"));
        return candidates(isRoot()).stream()
                .filter(candidate -> failure(candidate, javaHome).isEmpty())
                .map(SandboxChoice::of)
                .toList();
    }

    /** What guests run in if isolation does not matter. */
    public static Sandbox none() {
        return new OpenSandbox();
    }

    /** Whether this process is root's. */
    public static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Strongest first. */
    static List<Sandbox> candidates(boolean root) {
        List<Sandbox> candidates = new ArrayList<>();
        for (SandboxTier tier : root ? List.of(SandboxTier.ROOT, SandboxTier.USER) : List.of(SandboxTier.USER)) {
            candidates.add(new BubblewrapSandbox(tier));
            candidates.add(new UnshareSandbox(tier));
        }
        candidates.add(new LandlockSandbox());
        return candidates;
    }

    static SandboxReport probe(List<Sandbox> candidates, Path javaHome) {
        List<String> reasons = new ArrayList<>();
        for (Sandbox candidate : candidates) {
            Optional<String> failure = failure(candidate, javaHome);
            if (failure.isEmpty()) {
                return new SandboxReport(candidate, reasons);
            }
            reasons.add("tier " + candidate.tier().label() + " by " + candidate.description() + ": " + failure.get());
        }
        return new SandboxReport(null, reasons);
    }

    /** Why a sandbox does not work; empty if it does. */
    static Optional<String> failure(Sandbox sandbox, Path javaHome) {
        Path folder = null;
        try {
            folder = Files.createTempDirectory("hv-probe");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.createDirectory(folder.resolve("out"));
            ConfinedJvm jvm = new ConfinedJvm(
                    javaHome,
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    folder,
                    0,
                    PROBE_UID,
                    List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx16m"),
                    "-version",
                    List.of());
            return run(sandbox.command(jvm));
        } catch (IOException | IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } finally {
            deleteProbe(folder);
        }
    }

    private static Optional<String> run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            // Its few lines fit into the pipe, so it can end before they are read.
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return Optional.of("no answer in " + TIMEOUT_SECONDS + " s");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.exitValue();
            return code == 0 ? Optional.empty() : Optional.of(reason(output, code));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String reason(String output, int code) {
        String line = output.lines().filter(text -> !text.isBlank()).findFirst().orElse("no message");
        return "exit code " + code + ", " + (line.length() > MAX_REASON ? line.substring(0, MAX_REASON) : line);
    }

    private static void deleteProbe(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try {
            for (String name : List.of(".root", "out", "")) {
                Files.deleteIfExists(folder.resolve(name));
            }
        } catch (IOException e) {
            // An empty folder in /tmp is what is left.
        }
    }
}
