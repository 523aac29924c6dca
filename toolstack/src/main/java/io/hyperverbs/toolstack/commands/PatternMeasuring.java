package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.perf.PatternRow;
import io.hyperverbs.lab.run.perf.PatternRun;
import io.hyperverbs.lab.run.perf.PatternTable;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.TrafficPattern;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures a pattern in a machine of its own, and prints what came of it. */
final class PatternMeasuring {
    /** The seconds of a row are beside it. */
    private static final Duration PATIENCE = Duration.ofMinutes(7);

    private final CommandContext context;
    private final PerfPlan plan;
    private final TrafficPattern pattern;
    private final int guests;

    PatternMeasuring(CommandContext context, PerfPlan plan, TrafficPattern pattern, int guests) {
        this.context = context;
        this.plan = plan;
        this.pattern = pattern;
        this.guests = guests;
    }

    int run(LaunchOptions launch) throws HvException, InterruptedException, IOException {
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        int pollers = pattern.pollers(guests, plan.receiversPoll());
        if (pollers > environment.cores()) {
            context.note(pollers + " busy pollers on " + environment.cores()
                    + " cores: figures of pairs are the scheduler's too");
        }
        RunningMachine started = Launch.start(
                context,
                PatternRun.topology(
                        plan.paths(),
                        guests,
                        "pattern-" + ProcessHandle.current().pid()),
                context.environment().folder(),
                Launch.mode(context, false, launch));
        List<PatternRow> rows = Launch.once(started, this::measure);
        context.print(PatternTable.of(plan, pattern, guests, rows, environment));
        long disturbed = rows.stream().filter(row -> !row.isGood()).count();
        if (disturbed > 0) {
            context.note(disturbed + " of " + rows.size()
                    + " rows were disturbed: other work used the cores, or the host moved them");
        }
        return ExitCode.OK.number();
    }

    private List<PatternRow> measure(RunningMachine machine) throws HvException, InterruptedException {
        StoreCommands commands = new StoreCommands(machine.client(), PATIENCE);
        PatternRun run =
                new PatternRun(plan, pattern, guests, commands, HopProbe::measureNanos, new OtherWork()::cores);
        List<PatternRow> rows = new ArrayList<>();
        try (Progress progress = context.progress()) {
            run.awaitReady();
            run.warmUp(progress);
            progress.begin(
                    "measuring", (long) plan.sizesBytes().size() * plan.paths().size());
            for (int size : plan.sizesBytes()) {
                for (MeasuredPath path : plan.paths()) {
                    rows.add(run.row(path, size));
                    progress.step(path.word() + ", " + size + " bytes");
                }
            }
            run.end();
        }
        return rows;
    }
}
