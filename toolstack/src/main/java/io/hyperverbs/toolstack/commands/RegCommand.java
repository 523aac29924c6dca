package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench reg}. */
@Command(
        name = "reg",
        description = {
            "Measures the control path: memory registered and deregistered, PDs, CQs and QPs created and destroyed,"
                    + " moves of a QP, and the first verbs of a new guest; native, from a guest, and beside them a bare"
                    + " gRPC call between the same processes, in turn.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {"  hv bench reg --quick", "  hv bench reg --verb mr -s 4096,1048576 --format json"})
public final class RegCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    CallRoundOptions terms = new CallRoundOptions();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Sizes of registered memory, 1 to 67108864 (default: 4096,65536,1048576,67108864).")
    List<String> sizes = new ArrayList<>();

    @Option(names = "--verb", paramLabel = "KIND", split = ",", description = "mr, pd, cq, qp, first (default: all).")
    List<String> kinds = new ArrayList<>();

    public RegCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        CallSequence[] known = CallBench.REG.sequences().toArray(CallSequence[]::new);
        List<CallSequence> chosen = Choices.pick("--verb", kinds, known, CallSequence::word);
        return new CallMeasuring(context(), terms.plan(CallBench.REG, chosen, sizes)).run(launch);
    }
}
