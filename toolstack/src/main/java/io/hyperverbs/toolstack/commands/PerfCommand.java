package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.floor.FloorProcesses;
import io.hyperverbs.lab.run.floor.Floors;
import io.hyperverbs.lab.run.perf.BandwidthRow;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.PerfReport;
import io.hyperverbs.lab.run.perf.PerfRow;
import io.hyperverbs.lab.run.perf.PerfRun;
import io.hyperverbs.lab.run.perf.TrafficPattern;
import io.hyperverbs.lab.run.report.BenchFile;
import io.hyperverbs.lab.run.report.PerfFile;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Times;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv bench lat} and {@code hv bench bw}: perftest's rows for each size and path. */
abstract class PerfCommand extends HvCommand {
    private static final String STANDARD_FILE = "perftest_out.json";

    /** A row of a million messages on the slowest path takes minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(12);

    private final boolean latency;
    private final PerfDepths depths = new PerfDepths();

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    PerfFlags flags = new PerfFlags();

    @Mixin
    CompareOptions compare = new CompareOptions();

    @Mixin
    PatternOptions several = new PatternOptions();

    @Option(names = "--out_json", description = "Write the rows into " + STANDARD_FILE + " too.")
    boolean outJson;

    @Option(names = "--out_json_file", paramLabel = "FILE", description = "Write them into this file too.")
    @Nullable
    String outJsonFile;

    PerfCommand(CommandContext context, boolean latency) {
        super(context);
        this.latency = latency;
    }

    /** What the options say, for a pattern: rows of seconds. */
    private PerfPlan patternPlan() throws HvException {
        if (flags.iterations != null || outJson || outJsonFile != null || compare.isGiven()) {
            throw PatternOptions.usage(
                    "--pattern does not go with -n, --out_json and --compare",
                    "-D is its time, --format json its rows");
        }
        PerfPlan plan = flags.plan(latency, depths);
        return plan.seconds() > 0 ? plan : plan.lasting(1);
    }

    @Override
    public void shape(CommandSpec spec) {
        depths.claim(spec);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        Optional<TrafficPattern> pattern = several.pattern();
        return pattern.isPresent() ? measurePattern(pattern.get()) : measurePair();
    }

    private int measurePattern(TrafficPattern pattern) throws HvException, InterruptedException, IOException {
        int guests = several.guests(pattern);
        PerfPlan plan = patternPlan();
        PatternOptions.check(plan, pattern, guests);
        return new PatternMeasuring(context(), plan, pattern, guests).run(launch);
    }

    private int measurePair() throws HvException, InterruptedException, IOException {
        CompareOptions.Reader reader = found -> PerfFile.read(found, latency);
        String hint = "hv bench " + (latency ? "lat" : "bw") + " --out_json_file=FILE writes them";
        Optional<BenchFile> old = compare.old(context(), reader, hint);
        Optional<BenchFile> with = compare.with(context(), reader, hint);
        if (old.isPresent() && with.isPresent()) {
            return compare.print(context(), old.get(), with.get());
        }
        PerfPlan plan = flags.plan(latency, depths);
        if (old.isPresent()) {
            compare.check(old.get(), plan.options());
        }
        Path file = outJson || outJsonFile != null ? file() : null;
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        if (plan.pollers() > environment.cores()) {
            context()
                    .note(plan.pollers() + " busy pollers on " + environment.cores()
                            + " cores: rows measure the scheduler too");
        }
        RunningMachine started = Launch.start(
                context(),
                PerfRun.topology(plan.paths(), "perf-" + ProcessHandle.current().pid()),
                context().environment().folder(),
                Launch.mode(context(), false, launch));
        PerfReport report = new PerfReport(plan);
        ObjectNode object = Launch.once(started, machine -> {
            List<PerfRow> rows = measure(machine, plan, report, old.isEmpty());
            if (context().options().format() == Format.CSV && old.isEmpty()) {
                context().print(report.table(rows));
            }
            return report.object(rows, environment, machine.client().status().sandboxTier());
        });
        Format format = context().options().format();
        if (old.isEmpty() && (format == Format.JSON || format == Format.JSONL)) {
            context().print(object);
        }
        int written = file == null ? ExitCode.OK.number() : write(file, object);
        if (old.isEmpty() || written != ExitCode.OK.number()) {
            return written;
        }
        return compare.print(context(), old.get(), rows(object));
    }

    private BenchFile rows(ObjectNode object) {
        try {
            return PerfFile.of(object, latency);
        } catch (BenchFile.BadFile e) {
            throw new IllegalStateException("of rows of ours", e);
        }
    }

    private List<PerfRow> measure(RunningMachine machine, PerfPlan plan, PerfReport report, boolean prints)
            throws HvException, InterruptedException {
        if (plan.sizesBytes().stream().allMatch(size -> plan.floor(size).isEmpty())) {
            return measure(machine, plan, report, prints, (cell, iterations, warmUp, millis) -> new long[0]);
        }
        try (FloorProcesses floors = FloorProcesses.start(Installation.current())) {
            return measure(machine, plan, report, prints, floors);
        }
    }

    private List<PerfRow> measure(
            RunningMachine machine, PerfPlan plan, PerfReport report, boolean prints, Floors floors)
            throws HvException, InterruptedException {
        StoreCommands commands = new StoreCommands(machine.client(), PATIENCE);
        commands.awaitReady(plan.paths());
        PerfRun run = new PerfRun(commands, HopProbe::measureNanos, new OtherWork()::cores, floors);
        try (Progress progress = context().progress()) {
            run.warmUp(plan, progress);
        }
        boolean asTable = prints && context().options().format() == Format.TABLE;
        if (asTable) {
            context().print(report.header());
        }
        List<PerfRow> rows = new ArrayList<>();
        for (int size : plan.sizesBytes()) {
            for (MeasuredPath path : plan.paths()) {
                PerfRow row = run.row(plan, path, size);
                rows.add(row);
                if (asTable) {
                    context().print(report.line(row));
                }
                note(row);
            }
        }
        commands.end(plan.paths());
        long disturbed = rows.stream().filter(row -> !row.isGood()).count();
        if (disturbed > 0) {
            context()
                    .note(disturbed + " of " + rows.size()
                            + " rows were disturbed: other work used the cores, or the host moved them");
        }
        return rows;
    }

    private void note(PerfRow row) {
        if (row instanceof BandwidthRow bandwidth && bandwidth.dropped() > 0) {
            context()
                    .note(bandwidth.path().word() + ", " + bandwidth.sizeBytes() + " bytes: " + bandwidth.dropped()
                            + " messages, warm-up included, found no receive and were dropped; a larger -r helps");
        }
    }

    private Path file() throws HvException {
        Path file = context().path(outJsonFile == null ? STANDARD_FILE : outJsonFile);
        Path folder = file.getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new HvException(
                    ExitCode.FAILURE, "cannot write the rows to " + file, "--out_json_file names another file");
        }
        return file;
    }

    private int write(Path file, ObjectNode object) {
        try {
            ObjectNode stamped =
                    Json.stamped(object, Times.iso(Instant.now()), context().commandLine());
            Files.writeString(file, Json.pretty(stamped) + "\n");
            return ExitCode.OK.number();
        } catch (IOException e) {
            return context()
                    .fail(new HvException(
                            ExitCode.FAILURE,
                            "cannot write the rows to " + file + ": " + ReportPlace.why(e),
                            "the rows above are complete"));
        }
    }
}
