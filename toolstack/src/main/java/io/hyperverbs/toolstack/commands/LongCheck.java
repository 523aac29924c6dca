package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.LongLog;
import io.hyperverbs.lab.run.isolate.LongReport;
import io.hyperverbs.lab.run.isolate.LongRun;
import io.hyperverbs.lab.run.soak.SoakPlan;
import io.hyperverbs.lab.run.soak.SoakReport;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code hv isolate --long}. */
final class LongCheck {
    private static final double MILLIS = 1e3;

    private final CommandContext context;
    private final LaunchOptions launch;
    private final HcaSpec hca;
    private final Path file;
    private final LongReport report;

    /**
     * @param file where the report goes
     */
    LongCheck(CommandContext context, LaunchOptions launch, HcaSpec hca, Path file) {
        this.context = context;
        this.launch = launch;
        this.hca = hca;
        this.file = file;
        this.report = new LongReport(file);
    }

    /**
     * Attacks, kills guests, and soaks if there is a plan for that.
     *
     * @param plan unless the run goes on: then it keeps its own
     */
    ExitCode run(List<IsolationCase> cases, LongLog.Plan plan, int kills, boolean resume, @Nullable SoakPlan soak)
            throws HvException, IOException, InterruptedException {
        Path path = LongReport.log(file);
        LongLog log = resume ? LongLog.resume(path, report) : LongLog.begin(path, plan);
        boolean clean = attack(cases, log, kills);
        if (soak != null) {
            SoakReport soaked = new SoakCheck(context, launch, hca).soak(soak);
            report.soaked(soaked.summary(), soaked.verdict().exitCode());
        }
        context.text(report.text());
        context.note("the report is in " + file + " and " + LongReport.page(file));
        return clean ? report.exitCode() : ExitCode.BREACH;
    }

    private boolean attack(List<IsolationCase> cases, LongLog log, int kills)
            throws HvException, IOException, InterruptedException {
        LongLog.Plan plan = log.plan();
        try (CheckMachine machine = CheckMachine.start(context, launch, hca);
                Progress progress = context.progress()) {
            AttackedMachine attacked = machine.attacked();
            report.head(String.format(
                    Locale.ROOT,
                    "Seeds %d to %d, %.1f s for attacks without end, sandbox tier %s.",
                    plan.seed(),
                    plan.seed() + plan.seeds() - 1,
                    plan.durationMillis() / MILLIS,
                    attacked.tier()));
            LongRun run = new LongRun(attacked, report, log, progress);
            run.attacks(cases, plan.seed(), plan.seeds(), plan.duration());
            return run.kills(kills, plan.seed());
        }
    }
}
