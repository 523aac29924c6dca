package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

    @Mixin
    CallRoundOptions terms = new CallRoundOptions();

    public EventsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        CallPlan plan = terms.plan(CallBench.EVENTS, CallBench.EVENTS.sequences(), List.of());
        return new CallMeasuring(context(), plan).run(launch);
    }
}
