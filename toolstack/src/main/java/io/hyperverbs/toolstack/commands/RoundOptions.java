package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.Choices;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many rounds are measured. */
final class RoundOptions {
    private static final int STANDARD = 11;
    private static final int QUICK = 5;

    @Option(names = "--quick", description = "5 short rounds.")
    boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 11, quick 5).")
    @Nullable
    Integer rounds;

    /**
     * Those that are asked for.
     *
     * @throws HvException USAGE for a number below 1
     */
    int count() throws HvException {
        return Choices.positive("--rounds", rounds, quick ? QUICK : STANDARD);
    }
}
