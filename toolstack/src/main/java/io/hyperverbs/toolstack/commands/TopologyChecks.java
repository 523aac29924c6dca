package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.run.isolate.IsolationResult;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.isolate.IsolationRun;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyCheck;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** What a topology says must hold: its attacks, on a machine with its HCA. */
final class TopologyChecks {
    private static final Duration DURATION = Duration.ofSeconds(2);

    private final CommandContext context;
    private final LaunchOptions launch;

    TopologyChecks(CommandContext context, LaunchOptions launch) {
        this.context = context;
        this.launch = launch;
    }

    /** Makes the attacks and prints what came of them; the exit code. */
    ExitCode run(Topology topology) throws HvException, InterruptedException {
        topology.warnings().forEach(context::note);
        List<TopologyCheck> checks = topology.checks();
        if (checks.isEmpty()) {
            throw new HvException(
                    ExitCode.USAGE,
                    topology.name() + " has no checks",
                    "write checks: in it, or name --conformance or --walk");
        }
        List<IsolationCase> attacks = checks.stream()
                .map(check -> Isolation.cases(List.of(check.isolate())).getFirst())
                .toList();
        long seed = ThreadLocalRandom.current().nextLong(1, 1L << 32);
        List<IsolationResult> results;
        try (CheckMachine machine = CheckMachine.start(context, launch, topology.hca());
                Progress progress = context.progress()) {
            progress.begin("checking " + topology.name(), attacks.size());
            results = new IsolationRun(machine.attacked(), seed, DURATION)
                    .run(attacks, result -> progress.step(result.attack().name()));
        }
        return report(topology, results, seed);
    }

    private ExitCode report(Topology topology, List<IsolationResult> results, long seed) {
        Table table = new Table("hv.checks/1", "checks", "CHECK", "ATTACK", "EXPECTED", "OBSERVED", "VERDICT")
                .dropFirst("ATTACK");
        ExitCode worst = IsolationRun.exitCode(results);
        for (int i = 0; i < results.size(); i++) {
            TopologyCheck check = topology.checks().get(i);
            IsolationResult result = results.get(i);
            boolean holds = holds(check, result);
            table.row(
                    check.name(),
                    check.isolate(),
                    check.expect(),
                    result.observed(),
                    holds || result.verdict() != Verdict.CONTAINED
                            ? result.verdict().word()
                            : "not as expected");
            if (!holds && worst == ExitCode.OK) {
                worst = ExitCode.CHECK_FAILED;
            }
        }
        context.print(table.with("seed", seed));
        return worst;
    }

    /** Whether an attack was contained, and met the status that was expected. */
    static boolean holds(TopologyCheck check, IsolationResult result) {
        boolean met = check.expect().equals(TopologyCheck.CONTAINED)
                || Pattern.compile("\\b" + check.expect() + "\\b")
                        .matcher(result.observed())
                        .find();
        return result.verdict() == Verdict.CONTAINED && met;
    }
}
