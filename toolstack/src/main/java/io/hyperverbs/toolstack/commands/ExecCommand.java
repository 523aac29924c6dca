package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv exec}. */
@Command(
        name = "exec",
        description = {
            "Runs an executable of this computer in a guest that is there, shows what it prints and ends with its exit"
                    + " code.",
            "A program that is linked with libibverbs has the guest's HCA as its device: it posts, rings and polls"
                + " itself, and is not changed for that. The guest needs room for it, 'executables' in its topology.",
            "Its standard input is at its end. It sees the computer's /usr, a /tmp of the guest's own, and a network of"
                    + " the guest's own, so that two programs of one guest meet at localhost.",
            "With --rsockets its TCP connections are streams over the HCA, to whoever has that too.",
            "With --timeout TIME before DOM it has that time, and is stopped then, exit code 8."
        },
        footer = {
            "  hv exec a -- ibv_devinfo -v",
            "  hv exec a -- ibv_rc_pingpong -g 0 &  hv exec a -- ibv_rc_pingpong -g 0 localhost",
            "  hv exec --rsockets b -- iperf3 -s -1 &  hv exec --rsockets a -- iperf3 -c b"
        })
public final class ExecCommand extends HvCommand {
    private static final String RSOCKETS = "librspreload.so";

    @Mixin
    RawOption raw = new RawOption();

    @Option(names = "--rsockets", description = "TCP connections of the command go over the guest's HCA.")
    boolean rsockets;

    @Parameters(index = "0", paramLabel = "DOM", description = "The guest.")
    String guest = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "A path, or a name that is found in /usr/bin; then its own arguments.")
    List<String> command = new ArrayList<>();

    public ExecCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return guest;
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        // All that follows DOM is the command's, but not the dashes that say so.
        if (command.getFirst().equals("--")) {
            command.removeFirst();
        }
        if (command.isEmpty()) {
            throw new HvException(ExitCode.USAGE, "no command to run in " + guest, "hv exec a -- ibv_devinfo");
        }
        if (Installation.current().executableLibraries().isEmpty()) {
            context()
                    .note("programs find no device: libibverbs was not built, for want of a C compiler or of"
                            + " infiniband/verbs.h (Debian: gcc libibverbs-dev); mvn package builds it");
        }
        if (rsockets) {
            useRsockets();
        }
        try (RunningMachine machine = new Machines(context()).running()) {
            return new ExecIn(context(), machine, guest, raw.raw).runExecutable(command);
        }
    }

    /** Without the library the command would go over the network of the guests, unnoticed. */
    private void useRsockets() throws HvException {
        if (!Installation.current().isBuilt(RSOCKETS)) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    RSOCKETS + " was not built, for want of a C compiler or of rdma/rdma_cma.h",
                    "on Debian: apt install gcc libibverbs-dev librdmacm-dev, then mvn package");
        }
        command.addAll(0, List.of("/bin/sh", "-c", "LD_PRELOAD=\"$LD_PRELOAD:" + RSOCKETS + "\" exec \"$@\"", "sh"));
    }
}
