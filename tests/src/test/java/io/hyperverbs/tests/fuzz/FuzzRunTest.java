package io.hyperverbs.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.jvm.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Lets Jazzer search, one target after the other: {@code mvn verify -Pfuzz [-Dfuzz.seconds=900]
 * [-Dfuzz.target=wqe,ring] [-Dfuzz.keep=true]}. What it finds lies in {@code target/fuzz}.
 */
@EnabledIfSystemProperty(named = "fuzz.run", matches = "true")
class FuzzRunTest {
    private static final Path WORK = Path.of("target/fuzz").toAbsolutePath();
    private static final String INSTRUMENTED = "io.hyperverbs.hca.**:io.hyperverbs.backend.**:io.hyperverbs.vmm.**"
            + ":io.hyperverbs.frontend.executable.**:io.hyperverbs.verbs.**:io.hyperverbs.launcher.topology.**";

    /** A hang is a finding; generous, as other work may share the computer. */
    private static final int HANG_SECONDS = 20;

    private static final Pattern EXECUTED = Pattern.compile("stat::number_of_executed_units: (\\d+)");
    private static final Pattern COVERED = Pattern.compile("cov: (\\d+) ft: (\\d+) corp: (\\d+)");

    @Test
    void findsNothing() throws IOException, InterruptedException {
        int seconds = Integer.getInteger("fuzz.seconds", 60);
        String wanted = System.getProperty("fuzz.target", "all");
        List<FuzzKind> kinds = wanted.equals("all")
                ? List.of(FuzzKind.values())
                : Arrays.stream(wanted.split(",")).map(FuzzKind::of).toList();
        List<String> findings = new ArrayList<>();
        long all = 0;
        System.out.printf("%-10s %12s %8s %8s %8s%n", "target", "executions", "edges", "inputs", "found");
        for (FuzzKind kind : kinds) {
            ChildJvm jvm = new ChildJvm(WORK.resolve(kind.word()), "log");
            Path found = prepare(kind);
            int exit = fuzz(jvm, kind, seconds, found);
            List<String> artifacts = artifacts(kind);
            String printed = jvm.printed();
            long executed = last(EXECUTED, printed, 1);
            all += executed;
            System.out.printf(
                    "%-10s %12d %8d %8d %8d%n",
                    kind.word(), executed, last(COVERED, printed, 1), last(COVERED, printed, 3), artifacts.size());
            findings.addAll(artifacts);
            if (exit != 0 && artifacts.isEmpty()) {
                findings.add(kind.word() + ": Jazzer ended with " + exit + ", see its log");
            }
            assertThat(executed).as("executions of %s", kind).isPositive();
            if (Boolean.getBoolean("fuzz.keep")) {
                keep(kind, found);
            }
        }
        System.out.printf("%-10s %12d%n", "all", all);
        assertThat(findings).as("findings, in %s", WORK).isEmpty();
    }

    private static Path prepare(FuzzKind kind) throws IOException {
        for (String old : artifacts(kind)) {
            Files.delete(Path.of(old));
        }
        return Files.createDirectories(WORK.resolve(kind.word()).resolve("corpus"));
    }

    private static int fuzz(ChildJvm jvm, FuzzKind kind, int seconds, Path found)
            throws IOException, InterruptedException {
        return jazzer(
                jvm,
                kind,
                List.of(
                        "-max_total_time=" + seconds,
                        "-timeout=" + HANG_SECONDS,
                        "-report_slow_units=" + HANG_SECONDS,
                        "-print_final_stats=1",
                        found.toString(),
                        Corpus.folder(kind).toString()),
                Duration.ofSeconds(2L * seconds + 120));
    }

    /** Replaces the corpus by the fewest inputs that reach as much as old and new together. */
    private static void keep(FuzzKind kind, Path found) throws IOException, InterruptedException {
        Path fewest = Files.createTempDirectory(WORK, "merge");
        ChildJvm jvm = new ChildJvm(WORK.resolve(kind.word()), "merge-log");
        int exit = jazzer(
                jvm,
                kind,
                List.of("-merge=1", fewest.toString(), Corpus.folder(kind).toString(), found.toString()),
                Duration.ofMinutes(10));
        assertThat(exit).as("merge of %s", kind).isZero();
        try (Stream<Path> files = Files.list(fewest)) {
            for (Path file : files.toList()) {
                Path name = Path.of(file.getFileName().toString().substring(0, 12));
                Files.move(file, Corpus.folder(kind).resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.delete(fewest);
    }

    private static int jazzer(ChildJvm jvm, FuzzKind kind, List<String> args, Duration deadline)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>();
        all.add("--target_class=" + JazzerEntry.class.getName());
        all.add("--instrumentation_includes=" + INSTRUMENTED);
        // Its hooks look for injection into SQL, LDAP and so on, which we have none of.
        all.add("--custom_hook_excludes=**");
        all.addAll(args);
        return jvm.run(
                List.of("-Xmx1g", "-XX:+UseSerialGC", "-Dfuzz.kind=" + kind.word()),
                "com.code_intelligence.jazzer.Jazzer",
                all,
                deadline);
    }

    private static List<String> artifacts(FuzzKind kind) throws IOException {
        Path folder = WORK.resolve(kind.word());
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(name -> name.matches(".*/(crash|timeout|oom|slow-unit)-[0-9a-f]+"))
                    .sorted()
                    .toList();
        }
    }

    private static long last(Pattern pattern, String text, int group) {
        long value = 0;
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            value = Long.parseLong(matcher.group(group));
        }
        return value;
    }
}
