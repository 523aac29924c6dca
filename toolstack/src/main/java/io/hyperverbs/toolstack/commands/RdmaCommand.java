package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hv rdma}: iproute2's words. */
@Command(
        name = "rdma",
        description = "Shows objects and counters of a running machine's HCA, as iproute2's rdma.",
        commandListHeading = "%ncommands:%n",
        footer = {"  hv rdma resource show", "  hv rdma statistic show"})
public final class RdmaCommand extends HvCommand {
    @Spec
    @Nullable
    CommandSpec spec;

    public RdmaCommand(CommandContext context) {
        super(context);
    }

    @Override
    public List<HvCommand> subcommands() {
        return List.of(new ResourceCommand(context()), new StatisticCommand(context()));
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
