package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** Shows the console of a guest that runs one program, each stream on ours, until it ends. */
final class GuestConsole {
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final CommandContext context;
    private final RunningMachine machine;
    private final String guest;
    private final boolean raw;
    private final long endNanos;

    /**
     * @param raw whether what it prints goes to a terminal as it is
     */
    GuestConsole(CommandContext context, RunningMachine machine, String guest, boolean raw) {
        this.context = context;
        this.machine = machine;
        this.guest = guest;
        this.raw = raw;
        this.endNanos = System.nanoTime()
                + context.options().timeoutOr(Duration.ofDays(365)).toNanos();
    }

    /** Returns the program's exit code; TIMEOUT stops the guest. */
    int follow() throws HvException, IOException, InterruptedException {
        try (OutputStream out = context.guestOut(raw);
                OutputStream err = context.guestErr(raw)) {
            new LogTail(machine.folder().log(guest), 0)
                    .follow(out, err, () -> isLate() || DomainWatch.hasEnded(machine, guest));
        }
        DomainReport end = Machines.domain(machine, guest);
        if (!end.state().ended()) {
            stop();
            throw new HvException(ExitCode.TIMEOUT, "the program in " + guest + " ran too long", "see --timeout");
        }
        if (end.state() == DomainState.CRASHED && !end.message().isEmpty()) {
            context.note(guest + ": " + end.message());
        }
        return end.exitCode();
    }

    private boolean isLate() {
        return System.nanoTime() - endNanos > 0;
    }

    /** Ends the guest; nothing if it has ended. */
    void stop() {
        try {
            machine.client().stopDomain(guest, GRACE);
        } catch (MachineException e) {
            // The machine is gone, and the guest with it.
        }
    }
}
