package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.BenchTopology;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.lab.run.bench.Rounds;
import io.hyperverbs.lab.run.bench.StoreRounds;
import io.hyperverbs.lab.run.floor.FloorProcesses;
import io.hyperverbs.lab.run.floor.RoundsWithFloor;
import io.hyperverbs.lab.run.report.BenchFile;
import io.hyperverbs.lab.run.report.BenchJson;
import io.hyperverbs.lab.run.report.Comparison;
import io.hyperverbs.lab.run.report.Explanation;
import io.hyperverbs.lab.run.report.Headline;
import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.lab.run.report.ReportFolder;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench}. */
@Command(
        name = "bench",
        description = {
            "Measures the same verbs on three systems in one run: native (no VMM), bypass (a guest"
                    + " with VMM bypass) and forwarded (a guest whose posts and polls go through the"
                    + " device domain, streamed or by single calls); and beside them the floor: the same processes"
                    + " without an HCA.",
            "Starts a machine of its own and leaves nothing but the report.",
            "With -t, a topology that runs on several hosts: measures between the first guests of its first two hosts,"
                    + " over the wire, and prints a table."
        },
        footer = {
            "  hv bench --quick",
            "  hv bench --verb write,read -s 64,4096 --path native,bypass",
            "  hv bench -a --rounds 21 --out report --format json",
            "  hv bench --compare hv-reports/20260131-120000/bench.json",
            "  hv bench --quick -t rack"
        })
public final class BenchCommand extends HvCommand {
    static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final int LARGEST_BYTES = 1 << 20;

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    CompareOptions compare = new CompareOptions();

    @Option(names = "--quick", description = "5 short rounds: one minute to one and a half.")
    boolean quick;

    @Option(
            names = {"-a", "--all"},
            description = "All sizes from 8 B to 1 MiB by powers of two.")
    boolean all;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Message sizes, 8 to 1048576 (default: 8,64,4096,65536).")
    List<String> sizes = new ArrayList<>();

    @Option(
            names = "--verb",
            paramLabel = "VERB",
            split = ",",
            description = "write, read, fetch-add, send (default: all).")
    List<String> verbs = new ArrayList<>();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            split = ",",
            description = "native, bypass, forwarded, forwarded-unary, floor (default: all).")
    List<String> paths = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 11, quick 5).")
    @Nullable
    Integer rounds;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Operations in a round, at most.")
    @Nullable
    Integer iterations;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the report (default: hv-reports/TIME).")
    @Nullable
    String out;

    @Option(names = "--explain", description = "Say below the table what disturbed which round.")
    boolean explain;

    public BenchCommand(CommandContext context) {
        super(context);
    }

    @Override
    public List<HvCommand> subcommands() {
        return List.of(
                new LatCommand(context()),
                new BwCommand(context()),
                new FairnessCommand(context()),
                new FloorCommand(context()),
                new RegCommand(context()),
                new EventsCommand(context()),
                new ConnCommand(context()),
                new IpCommand(context()),
                new MpiCommand(context()),
                new SuiteCommand(context()));
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        BenchPlan plan = plan();
        List<Comparison.Pair> pairs = compare.pairs(context());
        if (!pairs.isEmpty()) {
            return compare.print(context(), pairs);
        }
        Optional<BenchFile> old = compare.old(context());
        Optional<BenchFile> with = compare.with(context());
        if (old.isPresent() && with.isPresent()) {
            return compare.print(context(), old.get(), with.get());
        }
        Machines machines = new Machines(context());
        if (machines.given() != null) {
            if (old.isPresent()) {
                throw new HvException(
                        ExitCode.USAGE, "--compare and -t together", "a run between hosts is not compared");
            }
            Optional<HostedTopology> hosted = machines.hosted();
            if (hosted.isPresent()) {
                return new HostedBench(context(), hosted.get()).run(plan);
            }
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    machines.given() + " does not run on several hosts",
                    "hv up -d starts it; without -t, hv bench starts a machine of its own");
        }
        ZonedDateTime began = ZonedDateTime.now(ZoneId.systemDefault());
        ReportPlace place = ReportPlace.of(context(), out, "hv-reports/" + STAMP.format(began));
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        Topology topology =
                BenchTopology.of(plan, "bench-" + ProcessHandle.current().pid());
        MachineLauncher.Mode mode = Launch.mode(context(), false, launch);
        Measured measured = Launch.once(
                Launch.start(context(), topology, context().environment().folder(), mode),
                machine -> new Measured(machine.client().status().sandboxTier(), measure(machine, plan)));
        BenchResult result = BenchResult.of(plan, measured.groups, environment);
        if (old.isEmpty()) {
            print(result, measured.tier);
        }
        Origin origin = new Origin(began, context().commandLine());
        int written = place.write(folder -> ReportFolder.write(folder, result, measured.tier, origin));
        if (old.isEmpty() || written != ExitCode.OK.number()) {
            return written;
        }
        return compare.print(context(), old.get(), BenchFile.of(result, measured.tier));
    }

    private record Measured(String tier, List<RoundGroup> groups) {}

    private List<RoundGroup> measure(RunningMachine machine, BenchPlan plan) throws HvException, InterruptedException {
        StoreRounds store = new StoreRounds(machine.client());
        boolean hasFloor = plan.paths().contains(MeasuredPath.FLOOR);
        try (FloorProcesses floors = hasFloor ? FloorProcesses.start(Installation.current()) : null;
                Progress progress = context().progress()) {
            store.awaitReady(plan.machinePaths());
            Rounds rounds = floors == null ? store : new RoundsWithFloor(store, floors);
            List<RoundGroup> groups =
                    new BenchRun(plan, rounds, HopProbe::measureNanos, new OtherWork()::cores, progress).run();
            store.end(plan.machinePaths());
            return groups;
        }
    }

    private void print(BenchResult result, String tier) {
        Format format = context().options().format();
        switch (format) {
            case TABLE -> {
                context().print(Headline.table(result));
                (explain ? Explanation.of(result) : List.<String>of()).forEach(context()::sentence);
                Headline.sentences(result, tier).forEach(context()::sentence);
            }
            case CSV -> context().print(Headline.rows(result));
            case JSON, JSONL -> context().print(BenchJson.of(result, tier));
        }
    }

    private BenchPlan plan() throws HvException {
        BenchPlan plan = quick ? BenchPlan.quick() : BenchPlan.full();
        List<Integer> chosen = Choices.bytesWithin("-s", sizes, Long.BYTES, LARGEST_BYTES, plan.sizesBytes());
        if (all) {
            chosen = IntStream.rangeClosed(3, 20).mapToObj(bits -> 1 << bits).toList();
        }
        return plan.with(
                Choices.pick("--verb", verbs, BenchVerb.values(), BenchVerb::word),
                chosen,
                Choices.pick("--path", paths, MeasuredPath.values(), MeasuredPath::word),
                Choices.positive("--rounds", rounds, plan.rounds()),
                Choices.positive("-n", iterations, plan.iterations()));
    }
}
