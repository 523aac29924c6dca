package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.floor.FloorPlan;
import io.hyperverbs.lab.run.floor.FloorProcesses;
import io.hyperverbs.lab.run.floor.FloorResult;
import io.hyperverbs.lab.run.floor.FloorRound;
import io.hyperverbs.lab.run.floor.FloorRun;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hv bench floor}. */
@Command(
        name = "floor",
        description = {
            "Measures what this computer takes without an HCA for what verbs do: a copy asked for and answered between"
                + " two processes, a message by a relay, a copy of memory, streams of each in batches, a wake of a"
                + " sleeper, a gRPC call. No machine is started; three processes with the JVM options of device domain"
                + " and guests are, and end.",
            "Compare with hv bench of the same minute and the same hop state."
        },
        footer = {"  hv bench floor --quick", "  hv bench floor -s 64,4096 --format json"})
public final class FloorCommand extends HvCommand {
    @Option(names = "--quick", description = "5 rounds: about 30 seconds.")
    boolean quick;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Sizes of payload, 8 to 1048576 (default: 8,64,4096,65536,1048576).")
    List<String> sizes = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 11, quick 5).")
    @Nullable
    Integer rounds;

    public FloorCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException {
        FloorPlan plan = plan();
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        FloorResult result = new FloorResult(plan, measure(plan), environment);
        context().print(result.table());
        if (context().options().format() == Format.TABLE) {
            result.sentences().forEach(context()::sentence);
        }
        return ExitCode.OK.number();
    }

    private List<FloorRound> measure(FloorPlan plan) throws HvException, InterruptedException {
        try (FloorProcesses processes = FloorProcesses.start(Installation.current());
                Progress progress = context().progress()) {
            return new FloorRun(plan, processes, HopProbe::measureNanos, new OtherWork()::cores, progress).run();
        }
    }

    private FloorPlan plan() throws HvException {
        FloorPlan plan = quick ? FloorPlan.quick() : FloorPlan.full();
        return plan.with(
                Choices.bytesWithin("-s", sizes, Long.BYTES, FloorPlan.MOST_BYTES, plan.sizesBytes()),
                Choices.positive("--rounds", rounds, plan.rounds()));
    }
}
