package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.trace.VerbLines;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of a guest on standard error, or their sums, while a program of {@code hv run} runs in it. A thread of its
 * own reads the log; who closes this waits until it has all, also while the process is being ended by a signal.
 */
final class ProgramTrace implements AutoCloseable {
    private static final int END_SECONDS = 5;

    private final CommandContext context;
    private final RunningMachine machine;
    private final String guest;
    private final @Nullable TraceKey key;
    private final boolean summary;
    private final OutputStream err;
    private final VerbPrinter printer;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread reader;
    private volatile boolean over;
    private volatile @Nullable IOException failure;

    /**
     * @param key has the guest write its log; null for one whose log is on from its start
     */
    private ProgramTrace(
            CommandContext context, RunningMachine machine, String guest, @Nullable TraceKey key, How how, long from) {
        this.context = context;
        this.machine = machine;
        this.guest = guest;
        this.key = key;
        this.summary = how.summary();
        this.err = context.guestErr(how.raw());
        VerbPrinter.Choice choice = new VerbPrinter.Choice(List.of(), Long.MAX_VALUE, !summary);
        this.printer = new VerbPrinter(guest, choice, context.options().format(), err);
        this.reader = Thread.ofPlatform().daemon().name("trace-" + guest).unstarted(() -> read(from));
    }

    /**
     * How to show verbs.
     *
     * @param summary as sums
     * @param raw as the guest wrote them, on a terminal too
     */
    record How(boolean summary, boolean raw) {}

    /** Of a guest that was made with its log on: from its first verb. */
    static ProgramTrace ofNew(CommandContext context, RunningMachine machine, String guest, How how) {
        ProgramTrace trace = new ProgramTrace(context, machine, guest, null, how, 0);
        trace.start();
        return trace;
    }

    /** Of a guest that runs: from now on. */
    static ProgramTrace in(CommandContext context, RunningMachine machine, String guest, How how)
            throws HvException, IOException {
        Path log = machine.folder().verbsLog(guest);
        long from = Files.exists(log) ? Files.size(log) : 0;
        try {
            ProgramTrace trace = new ProgramTrace(context, machine, guest, new TraceKey(machine, guest), how, from);
            trace.start();
            return trace;
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private void start() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::awaitClosed, "trace-end"));
        reader.start();
    }

    private void awaitClosed() {
        try {
            boolean _ = closed.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(long from) {
        try (VerbLines lines = new VerbLines(printer)) {
            new LogTail(machine.folder().verbsLog(guest), from).follow(lines, this::isOver);
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOver() {
        if (!over && key != null) {
            key.keep();
        }
        return over;
    }

    /** Shows what is left, and the sums. */
    @Override
    public void close() throws IOException {
        if (key != null) {
            DomainWatch.awaitOutput(context, machine, guest);
        }
        over = true;
        try {
            reader.join();
            if (key != null) {
                key.close();
            }
            if (failure != null) {
                throw failure;
            }
            Format format = context.options().format();
            if (summary) {
                err.write(VerbOptions.text(context, printer.summary(), format).getBytes(StandardCharsets.UTF_8));
            }
            VerbOptions.noteNotUnderstood(context, printer, summary);
            err.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed.countDown();
        }
    }
}
