package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hv completion}. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh.",
        footer = "  source <(hv completion)")
public final class CompletionCommand extends HvCommand {
    @Spec
    @org.jspecify.annotations.Nullable
    CommandSpec spec;

    public CompletionCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        CommandSpec own = Objects.requireNonNull(spec, "set by picocli");
        context().print(AutoComplete.bash("hv", own.root().commandLine()));
        return ExitCode.OK.number();
    }
}
