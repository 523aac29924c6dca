package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.soak.FaultResult;
import io.hyperverbs.lab.run.soak.MachineGround;
import io.hyperverbs.lab.run.soak.SoakPlan;
import io.hyperverbs.lab.run.soak.SoakReport;
import io.hyperverbs.lab.run.soak.SoakRun;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.math.BigDecimal;
import java.time.Duration;

/** {@code hv isolate --soak}. */
final class SoakCheck {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final CommandContext context;
    private final LaunchOptions launch;
    private final HcaSpec hca;

    SoakCheck(CommandContext context, LaunchOptions launch, HcaSpec hca) {
        this.context = context;
        this.launch = launch;
        this.hca = hca;
    }

    /** Refuses a plan that makes no sense. */
    static void validate(SoakPlan plan) throws HvException {
        if (plan.loadPercent() < 1 || plan.loadPercent() > 100) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--load " + plan.loadPercent() + ", must be from 1 to 100",
                    "it is a percentage of full speed");
        }
        if (plan.every().compareTo(SHORTEST) < 0) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--every " + seconds(plan.every()) + ", must be at least 1s",
                    "each fault takes about that long");
        }
        if (plan.length().compareTo(plan.every()) < 0) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--soak " + seconds(plan.length()) + " with a fault every " + seconds(plan.every()),
                    "make it longer, or --every shorter");
        }
    }

    /** Soaks and prints. */
    ExitCode run(SoakPlan plan) throws HvException, InterruptedException {
        SoakReport report = soak(plan);
        context.print(report.table());
        if (context.options().format() == Format.TABLE) {
            report.sentences().forEach(context::print);
        }
        return report.verdict().exitCode();
    }

    /** Soaks on a machine of its own. */
    SoakReport soak(SoakPlan plan) throws HvException, InterruptedException {
        try (CheckMachine machine = CheckMachine.start(context, launch, hca);
                Progress progress = context.progress()) {
            AttackedMachine attacked = machine.attacked(plan.loadPercent());
            SoakPlan promised = plan.promisedBy(attacked.promises());
            if (promised.attacks().isEmpty()) {
                throw new HvException(
                        ExitCode.USAGE,
                        "nothing that these attacks try is promised on this computer",
                        "name others, or none; hv doctor says what is promised");
            }
            MachineGround ground = new MachineGround(attacked, promised.attack());
            progress.begin("soaking", SoakRun.faults(promised));
            SoakRun run = new SoakRun(promised, ground, one -> note(one, progress));
            return new SoakReport(promised, run.run());
        }
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString() + "s";
    }

    private void note(FaultResult one, Progress progress) {
        progress.step(one.fault());
        if (context.options().format() == Format.JSONL) {
            context.print(SoakReport.row(one));
        }
        if (one.verdict() != Verdict.CONTAINED) {
            context.note("fault "
                    + one.number()
                    + ", "
                    + one.fault()
                    + " at "
                    + Duration.ofMillis(one.atMillis()).toSeconds()
                    + " s: "
                    + one.observed());
        }
    }
}
