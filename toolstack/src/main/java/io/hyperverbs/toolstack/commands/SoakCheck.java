package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.Format;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.isolate.run.Bystanders;
import io.hyperverbs.toolstack.isolate.run.IsolationResult.Verdict;
import io.hyperverbs.toolstack.isolate.soak.FaultResult;
import io.hyperverbs.toolstack.isolate.soak.MachineGround;
import io.hyperverbs.toolstack.isolate.soak.SoakPlan;
import io.hyperverbs.toolstack.isolate.soak.SoakReport;
import io.hyperverbs.toolstack.isolate.soak.SoakRun;
import io.hyperverbs.toolstack.progress.Progress;
import io.hyperverbs.toolstack.topology.Card;
import java.math.BigDecimal;
import java.time.Duration;

/** {@code hv isolate --soak}. */
final class SoakCheck {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final Desk desk;
    private final LaunchOptions launch;
    private final Card card;

    SoakCheck(Desk desk, LaunchOptions launch, Card card) {
        this.desk = desk;
        this.launch = launch;
        this.card = card;
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
        desk.print(report.table());
        if (desk.options().format() == Format.TABLE) {
            report.sentences().forEach(desk::print);
        }
        return report.verdict().exitCode();
    }

    /** Soaks on a machine of its own. */
    SoakReport soak(SoakPlan plan) throws HvException, InterruptedException {
        try (CheckMachine machine = CheckMachine.start(desk, launch, card);
                Progress progress = desk.progress()) {
            Bystanders bystanders = machine.bystanders(plan.loadPercent());
            SoakPlan promised = plan.promisedBy(bystanders.promises());
            if (promised.attacks().isEmpty()) {
                throw new HvException(
                        ExitCode.USAGE,
                        "nothing that these attacks try is promised on this computer",
                        "name others, or none; hv doctor says what is promised");
            }
            MachineGround ground = new MachineGround(bystanders, promised.attack());
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
        if (desk.options().format() == Format.JSONL) {
            desk.print(SoakReport.row(one));
        }
        if (one.verdict() != Verdict.CONTAINED) {
            desk.note("fault "
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
