package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.machine.LogTail;
import io.hyperverbs.toolstack.machine.Machine;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code hv logs}. */
@Command(
        name = "logs",
        description = "Shows the console of a domain; also of backend, and of the VMM as vmm.",
        footer = {"  hv logs a", "  hv logs -f backend"})
public final class LogsCommand extends HvCommand {
    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the domain ends.")
    boolean follow;

    @Parameters(paramLabel = "DOM", description = "Name of the domain.")
    String domain = "";

    public LogsCommand(Desk desk) {
        super(desk);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        try (Machine machine = new Machines(desk()).running()) {
            Path log = machine.folder().log(domain);
            boolean ofVmm = domain.equals("vmm");
            if (!ofVmm) {
                // For its message when there is no such domain.
                Machines.domain(machine, domain);
            }
            LogTail tail = new LogTail(log, 0);
            if (!follow) {
                tail.copy(desk().surroundings().out());
                return Files.exists(log) ? ExitCode.OK.number() : ExitCode.NOT_FOUND.number();
            }
            tail.follow(
                    desk().surroundings().out(),
                    () -> ofVmm ? !machine.isAlive() : DomainWatch.hasEnded(machine, domain));
            return ExitCode.OK.number();
        }
    }
}
