package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.check.ConformancePage;
import io.hyperverbs.lab.run.check.ConformanceRun;
import io.hyperverbs.lab.run.check.DomainProgram;
import io.hyperverbs.lab.run.check.PathVerdicts;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv check}. */
@Command(
        name = "check",
        description = {
            "Holds the HCA to the verbs contract, on each path, in a machine of its own that is"
                    + " taken down afterwards.",
            "Without --conformance and --walk: makes the attacks that a topology's checks: name, on"
                    + " a machine with its HCA.",
            "Exit code 6 if anything does not hold, 7 if a breach was seen."
        },
        footer = {
            "  hv check -t examples/isolation.hv.yaml",
            "  hv check --conformance",
            "  hv check --conformance --path bypass,forwarded cq errors.flush-in-order",
            "  hv check --conformance --list access",
            "  hv check --walk 1000000 --seed 42",
            "  hv check --walk 20000 --path bypass,forwarded",
            "  hv check --replay walk-42.txt"
        })
public final class CheckCommand extends HvCommand {
    @Option(names = "--conformance", description = "Run the conformance cases.")
    boolean conformance;

    @Option(
            names = "--walk",
            paramLabel = "N",
            description = "Do N random steps in domains that talk to each other, and compare all that is"
                    + " seen with a model.")
    @Nullable
    Long walk;

    @Option(names = "--seed", paramLabel = "S", description = "Of the walk (default: a new one).")
    @Nullable
    Long seed;

    @Option(names = "--replay", paramLabel = "FILE", description = "Do the steps of a walk that diverged.")
    @Nullable
    String replay;

    @Option(
            names = "--path",
            paramLabel = "PATH",
            split = ",",
            description = "native, bypass, forwarded, forwarded-unary (default: all; of a walk, native"
                    + " and bypass). Of a walk also in-process: no machine, one thread.")
    List<String> paths = new ArrayList<>();

    @Option(names = "--list", description = "Show the cases with their rules; run nothing.")
    boolean list;

    @Option(names = "--markdown", description = "Print the page docs/conformance.md.")
    boolean markdown;

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Parameters(paramLabel = "CASE", description = "Cases or groups (default: all).")
    List<String> wanted = new ArrayList<>();

    public CheckCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        if (walk != null || replay != null) {
            return new WalkCheck(context(), launch, paths).run(walk, seed, replay);
        }
        if (!conformance) {
            Machines machines = new Machines(context());
            if (!machines.hasTopology()) {
                throw new HvException(
                        ExitCode.USAGE,
                        "nothing to check",
                        "name --conformance, --walk or --replay, or a topology with checks: by -t");
            }
            return new TopologyChecks(context(), launch)
                    .run(machines.topology())
                    .number();
        }
        List<CheckedPath> chosen = CheckMachine.paths(paths);
        List<ConformanceCase> cases = cases();
        if (list) {
            Table table = new Table("hv.cases/1", "cases", "CASE", "RULE");
            cases.forEach(one -> table.row(one.name(), one.rule()));
            context().print(table);
            return ExitCode.OK.number();
        }
        PathVerdicts verdicts = run(cases, chosen);
        report(verdicts);
        return (verdicts.allPassed() ? ExitCode.OK : ExitCode.CHECK_FAILED).number();
    }

    private List<ConformanceCase> cases() throws HvException {
        TreeSet<String> known = new TreeSet<>();
        for (ConformanceCase one : Conformance.cases()) {
            known.add(one.name());
            known.add(one.group());
        }
        for (String word : wanted) {
            if (!known.contains(word)) {
                throw new HvException(
                        ExitCode.USAGE,
                        "no case or group is called " + word,
                        Suggestion.closest(word, List.copyOf(known))
                                .map(name -> "did you mean '" + name + "'?")
                                .orElse("hv check --conformance --list shows all"));
            }
        }
        return Conformance.cases(wanted);
    }

    private PathVerdicts run(List<ConformanceCase> cases, List<CheckedPath> chosen)
            throws HvException, IOException, InterruptedException {
        try (CheckMachine machine = CheckMachine.start(context(), launch);
                Progress progress = context().progress()) {
            DomainProgram domains = machine.domains();
            return new ConformanceRun(domains, progress).run(cases, chosen);
        }
    }

    private void report(PathVerdicts verdicts) {
        if (markdown) {
            context().text(ConformancePage.of(verdicts));
            return;
        }
        switch (context().options().format()) {
            case TABLE -> {
                context().print(verdicts.table());
                verdicts.sentences().forEach(context()::sentence);
            }
            case CSV -> context().print(verdicts.table());
            case JSON, JSONL -> context().print(verdicts.json());
        }
    }
}
