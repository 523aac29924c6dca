package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench events}. */
@Command(
        name = "events",
        description = {
            "Measures programs that sleep until the event of a completion: a write and a send with its receive, native,"
                    + " in a guest whose events the HCA posts, and in one to which the device domain brings them; and"
                    + " beside them bare wakes by futex and by eventfd, in turn.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {"  hv bench events --quick", "  hv bench events --rounds 21 --format json"})
public final class EventsCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Option(names = "--quick", description = "5 short rounds.")
    boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 11, quick 5).")
    @Nullable
    Integer rounds;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Times in a round, at most.")
    @Nullable
    Integer iterations;

    public EventsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        CallPlan plan = quick ? CallPlan.quick(CallBench.EVENTS) : CallPlan.full(CallBench.EVENTS);
        CallPlan chosen = plan.with(
                plan.sequences(),
                List.of(),
                Choices.positive("--rounds", rounds, plan.rounds()),
                Choices.positive("-n", iterations, plan.terms().iterations()));
        return new CallMeasuring(context(), chosen).run(launch);
    }
}
