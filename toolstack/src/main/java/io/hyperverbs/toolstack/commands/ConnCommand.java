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

/** {@code hv bench conn}. */
@Command(
        name = "conn",
        description = {
            "Measures connections by the connection manager, as librdmacm's cmtime does: queue pairs created, guests"
                    + " resolved, connected, disconnected and destroyed, one after another and 16 at a time; native,"
                    + " between guests, and between guests on the forwarded data path; and beside them a bare gRPC"
                    + " call, in turn.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {"  hv bench conn --quick", "  hv bench conn --verb cycle,many --format json"})
public final class ConnCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    CallRoundOptions terms = new CallRoundOptions();

    @Option(
            names = "--verb",
            paramLabel = "KIND",
            split = ",",
            description = "cycle (all steps as one), steps, many (16 at a time). Default: all.")
    List<String> kinds = new ArrayList<>();

    public ConnCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        CallSequence[] known = CallBench.CONN.sequences().toArray(CallSequence[]::new);
        List<CallSequence> chosen = Choices.pick("--verb", kinds, known, CallSequence::word);
        return new CallMeasuring(context(), terms.plan(CallBench.CONN, chosen, List.of())).run(launch);
    }
}
