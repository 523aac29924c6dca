package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.trace.TracedVerb;
import io.hyperverbs.launcher.trace.VerbLines;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv trace}. */
@Command(
        name = "trace",
        description = {
            "Shows each verb a domain uses, like strace; the last word of a line is the way it"
                    + " took: bypass or forwarded. With -c only their sums, as a table.",
            "Ends by Ctrl-C, when the domain ends, or after -n verbs; tracing ends with it, and -c prints its table in"
                    + " each case. The log is the guest's own to write: a line that is no driver's is marked with ?"
                    + " and counted."
        },
        footer = {
            "  hv trace a",
            "  hv trace -c a",
            "  hv trace -e post_send,poll_cq -n 20 a",
            "  hv trace -o a.jsonl --format jsonl a",
            "",
            "exit codes: 0 after -n or the end of the domain, 2 usage, 4 no such domain, 5 a domain without a verb"
                    + " log,",
            "130 Ctrl-C."
        })
public final class TraceCommand extends HvCommand {
    private static final int END_SECONDS = 5;

    /** Names of verbs, for completion. */
    static final class Verbs implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TracedVerb.NAMES.iterator();
        }
    }

    @Option(
            names = {"-c", "--summary"},
            description = "Add up: calls, time and way of each verb, and how many bypass the hypervisor.")
    boolean summary;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description = "End after N verbs.")
    @Nullable
    Integer count;

    @Option(
            names = {"-e", "--only"},
            paramLabel = "VERB",
            split = ",",
            completionCandidates = Verbs.class,
            description = "Only these verbs, with commas: ${COMPLETION-CANDIDATES}.")
    List<String> only = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to a file, made for you alone (0600), and not to standard output.")
    @Nullable
    String file;

    @Option(names = "--verbs", description = "Verbs, as there is nothing else to trace: changes nothing.")
    boolean verbs;

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
        VerbPrinter.Choice choice =
                new VerbPrinter.Choice(List.copyOf(only), Choices.positive("-n", count, Integer.MAX_VALUE), !summary);
        VerbOptions.check("-e", only);
        VerbOptions.checkFormat(context(), summary);
        try (RunningMachine machine = new Machines(context()).running()) {
            DomainReport report = Machines.domain(machine, domain);
            if (report.kind() != DomainKind.GUEST) {
                throw new HvException(
                        ExitCode.CONFLICT, "domain " + domain + " has no verb log", "only guests have one");
            }
            try (OutputStream out = file == null ? context().guestOut(raw.raw) : OutputFile.open(context(), file)) {
                trace(
                        machine,
                        new VerbPrinter(domain, choice, context().options().format(), out),
                        out);
            } catch (MachineException e) {
                throw Failures.of(e);
            }
        }
        return ExitCode.OK.number();
    }

    private void trace(RunningMachine machine, VerbPrinter printer, OutputStream out)
            throws MachineException, IOException, InterruptedException {
        Path log = machine.folder().verbsLog(domain);
        long from = Files.exists(log) ? Files.size(log) : 0;
        CountDownLatch signalled = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(signalled, ended), "trace-end"));
        try (TraceKey key = new TraceKey(machine, domain);
                VerbLines lines = new VerbLines(printer)) {
            new LogTail(log, from).follow(lines, () -> {
                key.keep();
                return signalled.getCount() == 0 || printer.isDone() || DomainWatch.hasEnded(machine, domain);
            });
            finish(printer, out);
        } finally {
            ended.countDown();
        }
    }

    /** The process is being ended: what was seen until now is to be shown. */
    private static void end(CountDownLatch signalled, CountDownLatch ended) {
        signalled.countDown();
        try {
            boolean _ = ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void finish(VerbPrinter printer, OutputStream out) throws IOException {
        Format format = context().options().format();
        if (summary) {
            out.write(VerbOptions.text(context(), printer.summary(), format).getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        VerbOptions.noteNotUnderstood(context(), printer, summary);
    }
}
