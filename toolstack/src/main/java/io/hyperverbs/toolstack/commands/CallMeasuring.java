package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.calls.CallGroup;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.lab.run.calls.CallResult;
import io.hyperverbs.lab.run.calls.CallRun;
import io.hyperverbs.lab.run.calls.CallTable;
import io.hyperverbs.lab.run.calls.MachineCalls;
import io.hyperverbs.lab.run.floor.FloorProcesses;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Measures a plan of sequences in a machine of its own, and prints what came of it. */
final class CallMeasuring {
    /** How long a round may take. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CommandContext context;
    private final CallPlan plan;

    CallMeasuring(CommandContext context, CallPlan plan) {
        this.context = context;
        this.plan = plan;
    }

    int run(LaunchOptions launch) throws HvException, InterruptedException, IOException {
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        String name = plan.bench().word() + "-" + ProcessHandle.current().pid();
        Topology topology = MachineCalls.topology(plan, name);
        RunningMachine started =
                Launch.start(context, topology, context.environment().folder(), Launch.mode(context, false, launch));
        CallResult result = CallResult.of(plan, Launch.once(started, this::measure));
        if (context.options().format() == Format.TABLE) {
            context.print(CallTable.table(plan, result));
            CallTable.sentences(plan, result, environment).forEach(context::sentence);
        } else {
            context.print(CallTable.rows(plan, result, environment));
        }
        return ExitCode.OK.number();
    }

    private List<CallGroup> measure(RunningMachine machine) throws HvException, InterruptedException {
        try (FloorProcesses floors = FloorProcesses.start(Installation.current());
                Progress progress = context.progress()) {
            MachineCalls calls = new MachineCalls(plan, new StoreCommands(machine.client(), PATIENCE), floors);
            calls.awaitReady();
            List<CallGroup> groups =
                    new CallRun(plan, calls, HopProbe::measureNanos, new OtherWork()::cores, progress).run();
            calls.end();
            return groups;
        }
    }
}
