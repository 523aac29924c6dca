package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv trace}. */
@Command(
        name = "trace",
        description = {
            "Shows each verb a domain uses, like strace; the last word of a line is the way it"
                    + " took: bypass or forwarded.",
            "Ends by Ctrl-C, when the domain ends, or after --count lines; tracing ends with it."
        },
        footer = {"  hv trace --verbs a", "  hv trace --verbs --count 20 a"})
public final class TraceCommand extends HvCommand {
    @Option(names = "--verbs", required = true, description = "Verbs (there is nothing else yet).")
    boolean verbs;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "End after N lines.")
    long count = Long.MAX_VALUE;

    @Mixin
    RawOption raw = new RawOption();

    @Parameters(paramLabel = "DOM", description = "Name of the domain.")
    String domain = "";

    public TraceCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return domain;
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        try (RunningMachine machine = new Machines(context()).running()) {
            Machines.domain(machine, domain);
            Path log = machine.folder().verbsLog(domain);
            long from = Files.exists(log) ? Files.size(log) : 0;
            String key = "domain/tool/trace/" + domain;
            Thread off = new Thread(() -> switchOff(machine, key), "trace-off");
            Runtime.getRuntime().addShutdownHook(off);
            try (OutputStream out = context().guestOut(raw.raw)) {
                machine.client().storeWrite(key, "on");
                Lines lines = new Lines(out, domain, count);
                new LogTail(log, from).follow(lines, () -> lines.left == 0 || DomainWatch.hasEnded(machine, domain));
            } catch (MachineException e) {
                throw Failures.of(e);
            } finally {
                switchOff(machine, key);
            }
        }
        return ExitCode.OK.number();
    }

    private static void switchOff(RunningMachine machine, String key) {
        try {
            // Without the key a driver sleeps; it would look again and again at one that says off.
            machine.client().storeRemove(key);
        } catch (MachineException e) {
            // With the machine gone there is nothing to switch off.
        }
    }

    /** Passes on so many lines, with the domain's name after the time, and drops the rest. */
    private static final class Lines extends OutputStream {
        private final OutputStream out;
        private final byte[] name;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private long left;
        private boolean named;

        Lines(OutputStream out, String name, long left) {
            this.out = out;
            this.name = (" " + name).getBytes(StandardCharsets.UTF_8);
            this.left = left;
        }

        @Override
        public void write(int b) throws IOException {
            if (b == ' ' && !named) {
                line.writeBytes(name);
                named = true;
            }
            line.write(b);
            if (b != '\n') {
                return;
            }
            if (left > 0) {
                left--;
                out.write(line.toByteArray());
            }
            line.reset();
            named = false;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
