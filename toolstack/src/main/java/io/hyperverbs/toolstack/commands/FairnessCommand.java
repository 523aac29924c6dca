package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.fairness.FairnessPlan;
import io.hyperverbs.lab.run.fairness.FairnessReport;
import io.hyperverbs.lab.run.fairness.FairnessRun;
import io.hyperverbs.lab.run.fairness.Matrix;
import io.hyperverbs.lab.run.fairness.StoreGuests;
import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench fairness}. */
@Command(
        name = "fairness",
        description = {
            "Measures what a victim gets of its fair share beside each attacker: two guests of one"
                    + " weight, the attacker at full speed. The fair share is half of what the victim"
                    + " does alone in the same round.",
            "Starts a machine of its own and leaves nothing but the report. Exit code 6 if a cell" + " is below 0.8."
        },
        footer = {
            "  hv bench fairness",
            "  hv bench fairness --quick --attacker tiny,writes --victim write",
            "  hv bench fairness --rounds 11 --format json"
        })
public final class FairnessCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Option(names = "--quick", description = "3 short rounds.")
    boolean quick;

    @Option(
            names = "--attacker",
            paramLabel = "KIND",
            split = ",",
            description = "equal, tiny, writes, reads, sends, reg-small, reg-huge, many, rnr, errors,"
                    + " doorbells, arms, queues, compute, compute-300, compute-600, pinned,"
                    + " calls, refused, reg-wide, contexts, bad-path, compressed,"
                    + " after-end, reconnects (default: all).")
    List<String> attackers = new ArrayList<>();

    @Option(
            names = "--victim",
            paramLabel = "KIND",
            split = ",",
            description = "write, send, atomic, bandwidth, messages, control, events (default: all).")
    List<String> victims = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 5, quick 3).")
    @Nullable
    Integer rounds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder of the report (default: hv-reports/fairness-TIME).")
    @Nullable
    String out;

    public FairnessCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        FairnessPlan plan = plan();
        ZonedDateTime began = ZonedDateTime.now(ZoneId.systemDefault());
        ReportPlace place = ReportPlace.of(context(), out, "hv-reports/fairness-" + BenchCommand.STAMP.format(began));
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        RunningMachine started = Launch.start(
                context(),
                StoreGuests.topology("fairness-" + ProcessHandle.current().pid()),
                context().environment().folder(),
                Launch.mode(context(), false, launch));
        FairnessReport report = Launch.once(
                started,
                machine -> new FairnessReport(
                        measure(machine, plan),
                        environment,
                        machine.client().status().sandboxTier()));
        int written = report(report, place, began);
        if (written != ExitCode.OK.number()) {
            return written;
        }
        return (report.matrix().isFair() ? ExitCode.OK : ExitCode.CHECK_FAILED).number();
    }

    private Matrix measure(RunningMachine machine, FairnessPlan plan) throws HvException, InterruptedException {
        StoreGuests guests = new StoreGuests(machine.client());
        try (Progress progress = context().progress()) {
            guests.awaitReady();
            return new FairnessRun(plan, guests, HopProbe::measureNanos, progress).run();
        }
    }

    private int report(FairnessReport report, ReportPlace place, ZonedDateTime began) {
        Format format = context().options().format();
        switch (format) {
            case TABLE -> {
                context().print(report.table());
                report.sentences().forEach(context()::sentence);
            }
            case CSV -> context().print(report.cells());
            case JSON, JSONL -> context().print(report.json());
        }
        Origin origin = new Origin(began, context().commandLine());
        return place.write(folder -> report.write(folder, origin));
    }

    private FairnessPlan plan() throws HvException {
        FairnessPlan plan = quick ? FairnessPlan.quick() : FairnessPlan.full();
        return plan.with(
                        Choices.pick("--attacker", attackers, Attacker.values(), Attacker::word),
                        Choices.pick("--victim", victims, Victim.values(), Victim::word))
                .withRounds(Choices.positive("--rounds", rounds, plan.rounds()));
    }
}
