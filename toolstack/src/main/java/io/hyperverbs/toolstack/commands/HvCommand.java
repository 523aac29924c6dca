package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** A command: has its context, and {@code --help}. Returns its exit code. */
@Command(
        synopsisHeading = "usage: ",
        descriptionHeading = "%n",
        parameterListHeading = "%narguments:%n",
        optionListHeading = "%noptions:%n",
        footerHeading = "%nexamples:%n",
        sortOptions = false,
        usageHelpAutoWidth = true)
public abstract class HvCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text.")
    boolean help;

    protected HvCommand(CommandContext context) {
        this.context = context;
    }

    /** Commands under this one. */
    public List<HvCommand> subcommands() {
        return List.of();
    }

    /** Changes the options that the command line has found, the global ones among them. */
    public void shape(CommandSpec spec) {}

    /** The domain or device that it is about; empty for the machine. */
    String subject() {
        return "";
    }

    final CommandContext context() {
        return context;
    }
}
