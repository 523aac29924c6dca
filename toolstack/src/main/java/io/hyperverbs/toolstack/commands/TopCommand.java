package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.load.DomainLoad;
import io.hyperverbs.launcher.load.LoadMeter;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hv top}. */
@Command(
        name = "top",
        description = {
            "Shows how busy the domains of this computer's running topologies are, again and again: processor time of"
                    + " VMM, device domains and guests, and what guests do on the HCA.",
            "CPU is of one processor. POST counts work requests that the HCA has done with, sends and receives; MiB"
                    + " what was sent and received; FWD messages to the device domain, privileged verbs and the"
                    + " forwarded data path; EVT completion events; ERR, which is no rate, completions with an error,"
                    + " flushed ones not among them.",
            "It reads: the counters in the HCA's memory are copied, processor times are the kernel's, and the device"
                    + " domain is asked once a guest for its count of messages. No guest is asked for anything.",
            "On a terminal q or Ctrl-C ends it; otherwise it is as with -b."
        },
        footer = {
            "  hv top",
            "  hv top -b -n 5 -d 1",
            "  hv top -b --format jsonl",
            "",
            "exit codes: 0 after -n, q or the end of the topologies, 2 usage, 4 no topology is running, 130 Ctrl-C."
        })
public final class TopCommand extends HvCommand {
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 86_400;
    private static final double NANOS = 1e9;

    @Option(
            names = {"-b", "--batch"},
            description = "One table after the other, without control of the terminal.")
    boolean batch;

    @Option(
            names = {"-n", "--iterations"},
            paramLabel = "N",
            description = "End after N tables.")
    @Nullable
    Integer tables;

    @Option(
            names = {"-d", "--delay"},
            paramLabel = "SECONDS",
            description = "From table to table, at least 0.1 (${DEFAULT-VALUE}).")
    double seconds = 2;

    /** A machine that is watched. */
    private record Watched(RunningMachine machine, LoadMeter meter) {
        String name() {
            return machine.folder().name();
        }
    }

    private final CountDownLatch quit = new CountDownLatch(1);
    private final List<Watched> watched = new ArrayList<>();
    private boolean headed;
    private boolean several;
    private long lastNanos;

    public TopCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException {
        int count = Choices.positive("-n", tables, Integer.MAX_VALUE);
        if (!(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS)) {
            throw new HvException(ExitCode.USAGE, "-d " + seconds + ", must be 0.1 to 86400 seconds", "");
        }
        try {
            attach();
            boolean drawn = !batch
                    && context().environment().screen().out()
                    && context().options().format() == Format.TABLE;
            if (drawn) {
                draw(count);
            } else {
                show(count, this::print);
            }
        } finally {
            watched.forEach(one -> one.machine().close());
        }
        return ExitCode.OK.number();
    }

    private void attach() throws HvException {
        Machines machines = new Machines(context());
        if (machines.given() != null && machines.hosted().isPresent()) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    machines.given() + " is on several hosts",
                    "hv top shows the topologies of one computer: run it there");
        }
        List<MachineFolder> folders = machines.given() == null ? machines.allRunning() : List.of();
        // For its message when there is none.
        for (MachineFolder folder : folders.isEmpty() ? List.of(machines.runningFolder()) : folders) {
            RunningMachine machine = RunningMachine.attach(folder);
            watched.add(new Watched(machine, new LoadMeter(machine.client())));
        }
        several = watched.size() > 1;
        lastNanos = System.nanoTime();
        for (Watched one : watched) {
            try {
                List<DomainLoad> _ = one.meter().look();
            } catch (MachineException e) {
                throw Failures.of(e);
            }
        }
    }

    /** Takes a table. */
    private interface Sink {
        void take(Table table);
    }

    private void draw(int count) throws InterruptedException {
        try (TopScreen screen = TopScreen.open(context().environment().out(), quit::countDown)) {
            // A signal ends the process without coming back here.
            Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "screen-end"));
            screen.draw(List.of("the first table comes in " + seconds + " s; q ends"));
            show(
                    count,
                    table -> screen.draw(table.render(
                                    Format.TABLE,
                                    context().options().wide()
                                            ? Table.UNLIMITED
                                            : context()
                                                    .environment()
                                                    .screen()
                                                    .columns()
                                                    .getAsInt())
                            .lines()
                            .toList()));
        }
    }

    private void show(int count, Sink sink) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            if (quit.await((long) (seconds * NANOS), TimeUnit.NANOSECONDS)) {
                return;
            }
            Table table = look();
            if (watched.isEmpty()) {
                context().note("no topology is running any more");
                return;
            }
            sink.take(table);
        }
    }

    private Table look() {
        Format format = context().options().format();
        long now = System.nanoTime();
        TopRows rows = new TopRows(
                format, several || format != Format.TABLE, Instant.now(), Math.round((now - lastNanos) / 1e6) / 1e3);
        lastNanos = now;
        Iterator<Watched> all = watched.iterator();
        while (all.hasNext()) {
            Watched one = all.next();
            try {
                one.meter().look().forEach(load -> rows.add(one.name(), load));
            } catch (MachineException e) {
                // One that is only slow to answer comes with the next table.
                if (!one.machine().isAlive()) {
                    one.machine().close();
                    all.remove();
                }
            }
        }
        return rows.table();
    }

    private void print(Table table) {
        Format format = context().options().format();
        if (format == Format.CSV) {
            String text = table.render(Format.CSV);
            context().text(headed ? text.substring(text.indexOf('\n') + 1) : text);
        } else {
            if (headed && format == Format.TABLE) {
                context().print("");
            }
            context().print(table);
        }
        headed = true;
    }
}
