package io.hyperverbs.lab.run.check;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs programs in new domains of a machine and hands over what they print, line by line. */
public final class DomainProgram {
    private final MachineLauncher launcher;
    private final RunningMachine machine;
    private final Duration limit;

    /**
     * @param limit how long one program may take
     */
    public DomainProgram(MachineLauncher launcher, RunningMachine machine, Duration limit) {
        this.launcher = launcher;
        this.machine = machine;
        this.limit = limit;
    }

    /** How a program ended. */
    public record End(int exitCode, String message) {
        /** In words, for messages. */
        public String text() {
            return "ended with " + exitCode + (message.isEmpty() ? "" : ": " + message);
        }
    }

    /**
     * Runs it in a domain made for it, from its first line to its end.
     *
     * @throws HvException TIMEOUT if it takes longer than the limit
     */
    public End run(Guest guest, Program program, Consumer<String> lines)
            throws HvException, IOException, InterruptedException {
        launcher.add(machine, guest, Optional.of(program));
        long startNanos = System.nanoTime();
        Lines text = new Lines(lines);
        new LogTail(machine.folder().log(guest.name()), 0)
                .follow(
                        text,
                        () -> System.nanoTime() - startNanos > limit.toNanos()
                                || report(guest.name())
                                        .map(r -> r.state().ended())
                                        .orElse(true));
        DomainReport report = report(guest.name())
                .orElseThrow(() ->
                        new HvException(ExitCode.FAILURE, "the machine ended while " + guest.name() + " ran", ""));
        if (!report.state().ended()) {
            throw new HvException(
                    ExitCode.TIMEOUT,
                    "the program in " + guest.name() + " took longer than " + limit.toSeconds() + " s",
                    "--timeout gives it more");
        }
        return new End(report.exitCode(), report.message());
    }

    private Optional<DomainReport> report(String name) {
        try {
            return machine.client().status().domains().stream()
                    .filter(domain -> domain.name().equals(name))
                    .findFirst();
        } catch (MachineException e) {
            return Optional.empty();
        }
    }

    /** Writes a key that the programs of the machine can read. */
    public void tell(String key, String value) throws HvException {
        try {
            machine.client().storeWrite("domain/tool/" + key, value);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Cuts what is written into lines. */
    private static final class Lines extends ByteArrayOutputStream {
        private final Consumer<String> lines;

        Lines(Consumer<String> lines) {
            this.lines = lines;
        }

        @Override
        public void flush() {
            String text = toString(StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n');
            if (end >= 0) {
                byte[] rest = text.substring(end + 1).getBytes(StandardCharsets.UTF_8);
                reset();
                write(rest, 0, rest.length);
                text.substring(0, end).lines().forEach(lines);
            }
        }
    }
}
