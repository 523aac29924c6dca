package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.inprocess.InProcessField;
import io.hyperverbs.lab.run.walk.Conductor;
import io.hyperverbs.lab.run.walk.Divergence;
import io.hyperverbs.lab.run.walk.WalkDomains;
import io.hyperverbs.lab.run.walk.WalkFile;
import io.hyperverbs.lab.run.walk.WalkRun;
import io.hyperverbs.lab.run.walk.WalkTarget;
import io.hyperverbs.lab.walk.step.StepText;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv check --walk} and {@code --replay}. */
final class WalkCheck {
    /** Steps on one machine: its journal grows with them. */
    private static final long LEG_STEPS = 250_000;

    /** Domains of a walk in this process. */
    private static final int DOMAINS = 2;

    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(3);
    private static final double NANOS = 1e9;

    private final CommandContext context;
    private final LaunchOptions launch;
    private final List<String> words;
    private long done;
    private long startNanos;

    /**
     * @param words the paths named on the command line
     */
    WalkCheck(CommandContext context, LaunchOptions launch, List<String> words) {
        this.context = context;
        this.launch = launch;
        this.words = words;
    }

    int run(@Nullable Long steps, @Nullable Long seed, @Nullable String file)
            throws HvException, IOException, InterruptedException {
        if (file != null) {
            return replay(file);
        }
        if (steps == null || steps < 1) {
            throw new HvException(ExitCode.USAGE, "--walk " + steps + ", must be at least 1", "");
        }
        long given = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        return walk(steps, given);
    }

    private List<CheckedPath> paths() throws HvException {
        return words.equals(List.of(InProcessField.WORD)) ? List.of() : CheckMachine.paths(words);
    }

    private static String places(List<CheckedPath> paths) {
        return paths.isEmpty()
                ? InProcessField.WORD
                : paths.stream().map(CheckedPath::word).collect(Collectors.joining(" and "));
    }

    private int walk(long steps, long seed) throws HvException, IOException, InterruptedException {
        List<CheckedPath> paths = words.isEmpty() ? List.of(CheckedPath.NATIVE, CheckedPath.BYPASS) : paths();
        startNanos = System.nanoTime();
        Optional<WalkRun.Found> found = Optional.empty();
        try (Progress progress = context.progress()) {
            progress.begin("walking, seed " + seed, rounds(steps));
            while (done < steps && found.isEmpty()) {
                found = leg(seed, paths, Math.min(LEG_STEPS, steps - done), progress);
            }
        }
        if (found.isEmpty()) {
            report(seed, paths, 0);
            return ExitCode.OK.number();
        }
        report(seed, paths, 1);
        return diverged(seed, paths, found.get());
    }

    private Optional<WalkRun.Found> leg(long seed, List<CheckedPath> paths, long steps, Progress progress)
            throws HvException, IOException, InterruptedException {
        return on(paths, field -> walk(field, seed, steps, progress));
    }

    /** What is done on a field. */
    @FunctionalInterface
    private interface Use<T> {
        T on(WalkTarget field) throws HvException;
    }

    /** Makes a field, in this process if no path is named, and takes it down again. */
    private <T> T on(List<CheckedPath> paths, Use<T> use) throws HvException, IOException, InterruptedException {
        if (paths.isEmpty()) {
            Path folder = Files.createTempDirectory("hv-walk");
            try (InProcessField field = new InProcessField(DOMAINS, folder, UnaryOperator.identity())) {
                return use.on(field);
            } finally {
                delete(folder);
            }
        }
        try (CheckMachine machine = CheckMachine.startForWalk(context, launch)) {
            WalkDomains domains = machine.walk(paths);
            T result = use.on(domains);
            domains.end();
            return result;
        }
    }

    private Optional<WalkRun.Found> walk(WalkTarget field, long seed, long steps, Progress progress)
            throws HvException {
        return new WalkRun(field, SHRINK_LIMIT).run(seed, done / WalkRun.ROUND_STEPS, steps, more -> {
            done += more;
            progress.step(rate() + " steps/s");
        });
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    private static long rounds(long steps) {
        return (steps + WalkRun.ROUND_STEPS - 1) / WalkRun.ROUND_STEPS;
    }

    private String rate() {
        double seconds = (System.nanoTime() - startNanos) / NANOS;
        return String.format(Locale.ROOT, "%.0f", done / seconds);
    }

    private void report(long seed, List<CheckedPath> paths, int divergences) {
        double seconds = (System.nanoTime() - startNanos) / NANOS;
        Format format = context.options().format();
        if (format == Format.JSON || format == Format.JSONL) {
            ObjectNode object = Json.object().put("schema", "hv.walk/1");
            object.put("steps", done).put("seed", seed);
            object.put("paths", places(paths));
            object.put("divergences", divergences).put("seconds", seconds);
            context.print(object);
            return;
        }
        context.print(String.format(
                Locale.ROOT,
                "%d steps, %s, seed %d: %s (%.1f s, %s steps/s)",
                done,
                places(paths),
                seed,
                divergences == 0 ? "no divergence" : "diverges",
                seconds,
                rate()));
    }

    private int diverged(long seed, List<CheckedPath> paths, WalkRun.Found found) throws IOException {
        Conductor.Outcome best = found.best();
        Divergence divergence = best.divergence().orElseThrow();
        Path file = context.path("walk-" + seed + ".txt");
        List<String> comments = List.of(
                "seed " + seed + ", round " + found.round(),
                (found.shortest().isPresent()
                                ? "shortened from " + found.whole().steps().size() + " to "
                                : "did not diverge again, all ")
                        + best.steps().size()
                        + " steps",
                "found: " + found.whole().divergence().orElseThrow().text(),
                "at step " + (divergence.step() + 1) + ": " + divergence.text());
        String text = new WalkFile(paths, best.steps()).format(comments);
        Files.writeString(file, text);
        context.note("written to " + file + "; hv check --replay " + file.getFileName());
        if (context.options().format() == Format.TABLE) {
            context.text(text);
        }
        return ExitCode.CHECK_FAILED.number();
    }

    private int replay(String name) throws HvException, IOException, InterruptedException {
        WalkFile file = read(name);
        List<CheckedPath> paths = words.isEmpty() ? file.paths() : paths();
        Conductor.Outcome outcome = on(paths, field -> new WalkRun(field, SHRINK_LIMIT).replay(file));
        if (outcome.divergence().isEmpty()) {
            context.print(outcome.steps().size() + " steps: no divergence");
            return ExitCode.OK.number();
        }
        Divergence divergence = outcome.divergence().get();
        context.print("diverges at step "
                + (divergence.step() + 1)
                + " of "
                + file.steps().size()
                + ": "
                + StepText.format(outcome.steps().get(divergence.step())));
        context.print(divergence.text());
        return ExitCode.CHECK_FAILED.number();
    }

    private WalkFile read(String name) throws HvException, IOException {
        try {
            return WalkFile.parse(Files.readString(context.path(name)));
        } catch (NoSuchFileException e) {
            throw new HvException(ExitCode.NOT_FOUND, "no file " + name, "");
        } catch (IllegalArgumentException e) {
            throw new HvException(ExitCode.USAGE, name + ": " + e.getMessage(), "");
        }
    }
}
