package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hv clean}. */
@Command(
        name = "clean",
        description =
                "Removes the state folders of topologies whose VMM is dead, and what a command that was killed left in"
                        + " the folder for temporary files; nothing that is in use.",
        footer = {"  hv clean", "  hv clean --dry-run"})
public final class CleanCommand extends HvCommand {
    @Option(
            names = {"-n", "--dry-run"},
            description = "Say what would be removed.")
    boolean dryRun;

    public CleanCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws IOException {
        for (MachineFolder folder : new Machines(context()).root().folders()) {
            // Without the file of a VMM it is none of ours.
            if (!Files.isRegularFile(folder.pidFile(), LinkOption.NOFOLLOW_LINKS)
                    || folder.vmm().isPresent()) {
                continue;
            }
            if (!dryRun) {
                folder.delete();
            }
            say(folder.path());
        }
        for (Path left : WorkFolder.left()) {
            if (!dryRun) {
                WorkFolder.remove(left);
            }
            say(left);
        }
        return ExitCode.OK.number();
    }

    private void say(Path folder) {
        context().print((dryRun ? "would remove " : "removed ") + folder);
    }
}
