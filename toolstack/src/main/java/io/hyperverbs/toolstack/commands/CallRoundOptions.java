package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.Choices;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long sequences are measured. */
final class CallRoundOptions {
    @Mixin
    RoundOptions rounds = new RoundOptions();

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Times in a round, at most (default: 2000).")
    @Nullable
    Integer iterations;

    /** The plan of a command; {@code sizes}: within what it measures, or empty for all that it does. */
    CallPlan plan(CallBench bench, List<CallSequence> sequences, List<String> sizes) throws HvException {
        CallPlan plan = rounds.quick ? CallPlan.quick(bench) : CallPlan.full(bench);
        return plan.with(
                sequences,
                Choices.bytesWithin("-s", sizes, 1, CallPlan.MOST_BYTES, plan.sizesBytes()),
                rounds.count(),
                Choices.positive("-n", iterations, plan.terms().iterations()));
    }
}
