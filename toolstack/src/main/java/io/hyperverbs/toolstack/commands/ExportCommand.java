package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hv export}. */
@Command(
        name = "export",
        description = "Writes a topology over several computers as what another system starts.",
        commandListHeading = "%ncommands:%n",
        footer = {"  hv -t rack.hv.yaml export kubernetes --image hyperverbs:0.1.0 -o rack.yaml"})
public final class ExportCommand extends HvCommand {
    @Spec
    @Nullable
    CommandSpec spec;

    public ExportCommand(CommandContext context) {
        super(context);
    }

    @Override
    public List<HvCommand> subcommands() {
        return List.of(new KubernetesCommand(context()));
    }

    /** Without a command: the help. */
    @Override
    public Integer call() {
        Objects.requireNonNull(spec, "set by picocli")
                .commandLine()
                .usage(context().environment().err());
        return ExitCode.USAGE.number();
    }
}
