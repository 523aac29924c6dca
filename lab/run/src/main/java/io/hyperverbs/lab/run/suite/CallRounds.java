package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.calls.CallGroup;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.lab.run.calls.CallRun;
import io.hyperverbs.lab.run.calls.MachineCalls;
import io.hyperverbs.lab.run.floor.FloorProcesses;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rounds of {@code hv bench reg} and {@code events} as rounds of a figure: the first step of each sequence. */
final class CallRounds {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private CallRounds() {}

    /** @param divisor 2 where half of the round trip is reported */
    static List<FigureRound> run(SuiteRig rig, CallPlan plan, int divisor)
            throws HvException, InterruptedException, IOException {
        List<CallGroup> groups = rig.on(MachineCalls.topology(plan, rig.machineName()), (machine, progress) -> {
            try (FloorProcesses floors = FloorProcesses.start(Installation.current())) {
                MachineCalls calls = new MachineCalls(plan, new StoreCommands(machine.client(), PATIENCE), floors);
                calls.awaitReady();
                List<CallGroup> measured =
                        new CallRun(plan, calls, HopProbe::measureNanos, new OtherWork()::cores, progress).run();
                calls.end();
                return measured;
            }
        });
        return groups.stream().map(group -> round(group, divisor)).toList();
    }

    private static FigureRound round(CallGroup group, int divisor) {
        Map<String, long[]> nanos = new LinkedHashMap<>();
        group.nanos().keySet().forEach(site -> nanos.put(site.word(), group.step(site, 0)));
        String step = group.cell().sequence().steps().getFirst();
        FigureCell cell = new FigureCell(step, group.cell().bytes());
        return FigureRound.ofNanos(cell, group.round(), group.hop(), group.otherCores(), nanos, divisor);
    }
}
