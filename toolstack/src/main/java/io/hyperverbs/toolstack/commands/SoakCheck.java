package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.Format;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.isolate.run.IsolationResult.Verdict;
import io.hyperverbs.toolstack.isolate.soak.FaultResult;
import io.hyperverbs.toolstack.isolate.soak.MachineGround;
import io.hyperverbs.toolstack.isolate.soak.SoakPlan;
import io.hyperverbs.toolstack.isolate.soak.SoakReport;
import io.hyperverbs.toolstack.isolate.soak.SoakResult;
import io.hyperverbs.toolstack.isolate.soak.SoakRun;
import io.hyperverbs.toolstack.progress.Progress;
import io.hyperverbs.toolstack.topology.Card;

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

    ExitCode run(SoakPlan plan) throws HvException, InterruptedException {
        if (plan.loadPercent() < 1 || plan.loadPercent() > 100) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--load " + plan.loadPercent() + ", must be from 1 to 100",
                    "it is a percentage of full speed");
        }
        if (plan.every().compareTo(SHORTEST) < 0 || plan.length().compareTo(plan.every()) < 0) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--soak " + plan.length() + " with --every " + plan.every(),
                    "a fault every second at most, and the soak is as long at least");
        }
        SoakResult result;
        try (CheckMachine machine = CheckMachine.start(desk, launch, card);
                Progress progress = desk.progress()) {
            MachineGround ground =
                    new MachineGround(machine.bystanders(plan.loadPercent()), plan.attack());
            progress.begin("soaking", SoakRun.faults(plan));
            result = new SoakRun(plan, ground, one -> note(one, progress)).run();
        }
        SoakReport report = new SoakReport(plan, result);
        desk.print(report.table());
        if (desk.options().format() == Format.TABLE) {
            report.sentences().forEach(desk::print);
        }
        return switch (result.verdict()) {
            case CONTAINED -> ExitCode.OK;
            case FAILED -> ExitCode.CHECK_FAILED;
            case BREACH -> ExitCode.BREACH;
        };
    }

    private void note(FaultResult one, Progress progress) {
        progress.step(one.fault());
        if (desk.options().format() == Format.JSONL) {
            desk.print(SoakReport.row(one));
        }
        if (one.verdict() != Verdict.CONTAINED) {
            desk.note(
                    "fault "
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
