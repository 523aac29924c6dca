package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.IsolationResult;
import io.hyperverbs.lab.run.isolate.IsolationRun;
import io.hyperverbs.lab.run.isolate.LongLog;
import io.hyperverbs.lab.run.isolate.ThreatsPage;
import io.hyperverbs.lab.run.soak.SoakPlan;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.envelope.Promises;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv isolate}. */
@Command(
        name = "isolate",
        description = {
            "Attacks the isolation of guests: each case is a hostile guest process below the verbs"
                    + " library, against three victims with traffic, in a machine of its own that is"
                    + " taken down afterwards.",
            "Exit code 7 if a breach was seen, 6 if an attack could not be made."
        },
        footer = {
            "  hv isolate",
            "  hv isolate --list",
            "  hv isolate queues keys.wrap A4",
            "  hv isolate queues.garbage --duration 60s --seed 7",
            "  hv isolate --long --duration 1m --seeds 3 --kills 20",
            "  hv isolate --soak 5m",
            "  hv isolate --long --soak 24h"
        })
public final class IsolateCommand extends HvCommand {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(10);

    @Option(names = "--list", description = "Show the attacks and where they come from; run none.")
    boolean list;

    @Option(names = "--markdown", description = "Print the page docs/threats.md.")
    boolean markdown;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "How long attacks go on that have no end (default: 2s; --long: 10m).")
    @Nullable
    Duration duration;

    @Option(
            names = "--long",
            description = "Run all attacks with many seeds, kill guests amid an attack, and write a"
                    + " report, as Markdown and as a page. It is written anew after each"
                    + " attack: an interrupted run leaves what it has found. With --soak it"
                    + " soaks at the end.")
    boolean longRun;

    @Option(names = "--seeds", paramLabel = "N", description = "Of --long (default: 20).")
    int seeds = 20;

    @Option(names = "--kills", paramLabel = "N", description = "Guests that --long kills (default: 1000).")
    int kills = 1000;

    @Option(names = "--report", paramLabel = "FILE", description = "Where --long writes (default: isolate-long.md).")
    String report = "isolate-long.md";

    @Option(
            names = "--resume",
            description = "Go on with the --long run whose log lies beside the report: with its seeds"
                    + " and its duration, without what it has done.")
    boolean resume;

    @Option(
            names = "--soak",
            paramLabel = "TIME",
            description = "Keep the victims at a share of their peak for so long, with an attack, a"
                    + " killed or a stopped guest every few seconds, and compare live"
                    + " objects, threads and descriptors of VMM and device domain.")
    @Nullable
    Duration soak;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "From one fault of --soak to the next (default: 10s).")
    Duration every = Duration.ofSeconds(10);

    @Option(
            names = "--load",
            paramLabel = "PERCENT",
            description = "What the victims of --soak carry, of their peak (default: 70).")
    int load = 70;

    @Option(names = "--seed", paramLabel = "S", description = "Of the attackers' dice (default: new).")
    @Nullable
    Long seed;

    @Option(
            names = "--core",
            paramLabel = "WHERE",
            description = "dedicated: the HCA's engine has a core to itself (default). shared: the"
                    + " scheduler places it, which is faster where other machines or"
                    + " programs want that core.")
    CorePlacement core = CorePlacement.DEDICATED;

    private String tier = "";
    private String promised = "";
    private String notPromised = "";

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Parameters(paramLabel = "CASE", description = "Cases, groups or rows (default: all).")
    List<String> wanted = new ArrayList<>();

    public IsolateCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        List<IsolationCase> cases = cases();
        if (list) {
            Table table = new Table("hv.attacks/1", "attacks", "CASE", "ROW", "ATTACKER", "TARGET", "EXPECTED", "FROM")
                    .dropFirst("ROW", "FROM", "TARGET");
            cases.forEach(one ->
                    table.row(one.name(), one.rowText(), one.does(), one.target(), one.expected(), one.anchor()));
            context().print(table);
            return ExitCode.OK.number();
        }
        long dice = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 32) : seed;
        SoakPlan soaking = soak == null ? null : soakPlan(soak, cases, dice);
        if (longRun) {
            LongLog.Plan plan = new LongLog.Plan(dice, seeds, (duration == null ? LONG : duration).toMillis());
            return new LongCheck(context(), launch, hca(), context().path(report))
                    .run(cases, plan, kills, resume, soaking)
                    .number();
        }
        if (soaking != null) {
            return new SoakCheck(context(), launch, hca()).run(soaking).number();
        }
        List<IsolationResult> results = run(cases, dice);
        report(results, dice);
        return IsolationRun.exitCode(results).number();
    }

    private List<IsolationCase> cases() throws HvException {
        TreeSet<String> known = new TreeSet<>();
        for (IsolationCase one : Isolation.cases(List.of())) {
            known.addAll(List.of(one.name(), one.group()));
            known.addAll(one.rows());
        }
        for (String word : wanted) {
            if (!known.contains(word)) {
                throw new HvException(
                        ExitCode.USAGE,
                        "no attack, group or row is called " + word,
                        Suggestion.closest(word, List.copyOf(known))
                                .map(name -> "did you mean '" + name + "'?")
                                .orElse("hv isolate --list shows all"));
            }
        }
        return Isolation.cases(wanted);
    }

    private SoakPlan soakPlan(Duration length, List<IsolationCase> cases, long dice) throws HvException {
        // What attacks cost others is judged beside victims that rest.
        List<IsolationCase> attacks = cases.stream().filter(one -> !one.timed()).toList();
        if (attacks.isEmpty()) {
            throw new HvException(ExitCode.USAGE, "none of these attacks is for --soak", "name others, or none");
        }
        Duration attack = duration == null || longRun ? SHORT : duration;
        SoakPlan plan = new SoakPlan(length, every, load, dice, attack, attacks);
        SoakCheck.validate(plan);
        return plan;
    }

    private HcaSpec hca() {
        return HcaSpec.standard().withCore(core);
    }

    private List<IsolationResult> run(List<IsolationCase> cases, long dice)
            throws HvException, IOException, InterruptedException {
        try (CheckMachine machine = CheckMachine.start(context(), launch, hca());
                Progress progress = context().progress()) {
            AttackedMachine attacked = machine.attacked();
            tier = attacked.tier();
            Promises promises = attacked.promises();
            promised = promises.list(true);
            notPromised = promises.list(false);
            IsolationRun run = new IsolationRun(attacked, dice, duration == null ? SHORT : duration);
            progress.begin("attacking", cases.size());
            return run.run(cases, result -> {
                progress.step(result.attack().name());
                if (context().options().format() == Format.JSONL) {
                    context().print(table(List.of(result), dice));
                }
            });
        }
    }

    private void report(List<IsolationResult> results, long dice) {
        if (markdown) {
            context().text(ThreatsPage.of(results));
            return;
        }
        if (context().options().format() != Format.JSONL) {
            context().print(table(results, dice));
        }
        long contained = results.stream()
                .filter(r -> r.verdict() == IsolationResult.Verdict.CONTAINED)
                .count();
        context()
                .note(contained
                        + " of "
                        + results.size()
                        + " attacks contained; seed "
                        + dice
                        + ", sandbox tier "
                        + tier);
        long beyond = results.stream()
                .filter(r -> r.verdict() == IsolationResult.Verdict.NOT_PROMISED)
                .count();
        if (beyond > 0) {
            context().note(beyond + " did what this tier does not promise to stop");
        }
        context().note("this machine promises: " + promised + (notPromised.isEmpty() ? "" : "; not: " + notPromised));
    }

    private Table table(List<IsolationResult> results, long dice) {
        Table table = new Table(
                        "hv.isolate/1",
                        "attacks",
                        "CASE",
                        "ROW",
                        "ACTOR",
                        "TARGET",
                        "EXPECTED",
                        "OBSERVED",
                        "TRACE",
                        "VERDICT")
                .dropFirst("TRACE", "ACTOR", "TARGET", "ROW", "EXPECTED");
        for (IsolationResult result : results) {
            IsolationCase one = result.attack();
            table.row(
                    one.name(),
                    one.rowText(),
                    AttackedMachine.ATTACKER,
                    one.target(),
                    one.expected(),
                    result.observed(),
                    result.trace(),
                    result.verdict().word());
        }
        return table.with("seed", dice)
                .with("tier", tier)
                .with("promised", promised)
                .with("not_promised", notPromised);
    }
}
