package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv logs}. */
@Command(
        name = "logs",
        description = {
            "Shows the console of a domain; also of backend, and of the VMM as vmm.",
            "Standard output and standard error of a guest, in the order in which they came, or one"
                    + " of them with --stream."
        },
        footer = {"  hv logs a", "  hv logs -f backend"})
public final class LogsCommand extends HvCommand {
    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the domain ends.")
    boolean follow;

    /** What a program writes to. */
    enum Stream {
        OUT,
        ERR
    }

    @Option(names = "--stream", paramLabel = "STREAM", description = "out or err: only that one of a guest's streams.")
    @Nullable
    Stream stream;

    @Mixin
    RawOption raw = new RawOption();

    @Parameters(paramLabel = "DOM", description = "Name of the domain.")
    String domain = "";

    public LogsCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return domain;
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        try (RunningMachine machine = new Machines(context()).running()) {
            Path log = machine.folder().log(domain);
            boolean ofVmm = domain.equals("vmm");
            if (!ofVmm) {
                // For its message when there is no such domain.
                Machines.domain(machine, domain);
            }
            LogTail tail = new LogTail(log, 0);
            try (OutputStream console = context().guestOut(raw.raw)) {
                OutputStream out = stream == Stream.ERR ? OutputStream.nullOutputStream() : console;
                OutputStream err = stream == Stream.OUT ? OutputStream.nullOutputStream() : console;
                if (!follow) {
                    tail.copy(out, err);
                    return Files.exists(log) ? ExitCode.OK.number() : ExitCode.NOT_FOUND.number();
                }
                tail.follow(out, err, () -> ofVmm ? !machine.isAlive() : DomainWatch.hasEnded(machine, domain));
            }
            return ExitCode.OK.number();
        }
    }
}
