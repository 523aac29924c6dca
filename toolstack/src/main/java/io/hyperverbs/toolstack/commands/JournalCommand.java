package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.journal.JournalReader;
import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.output.Times;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv journal}. */
@Command(
        name = "journal",
        description = {
            "Shows the audit records of privileged verbs: intent and commit of each that was"
                    + " accepted, refusals (a sample if there are many), protocol violations."
        },
        footer = {"  hv journal", "  hv journal a -n 20", "  hv journal --format jsonl"})
public final class JournalCommand extends HvCommand {
    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            description = "The last N records only.")
    int lines = Integer.MAX_VALUE;

    @Option(names = "--raw", description = "Arguments as they are recorded, with handles in place of numbers.")
    boolean raw;

    @Parameters(paramLabel = "DOM", arity = "0..1", description = "Records of that domain only.")
    String domain = "";

    /** A record and what to show of its arguments. */
    private record Line(JournalRecord record, String arguments) {}

    public JournalCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        MachineFolder folder = new Machines(context()).runningFolder();
        Deque<Line> last = new ArrayDeque<>();
        JournalWords words = new JournalWords(raw);
        try (JournalReader reader = JournalReader.open(folder.path())) {
            Optional<JournalRecord> record = reader.next();
            while (record.isPresent()) {
                // Also of records that are not shown: they say how later ones call things.
                String arguments = words.of(record.get());
                if (domain.isEmpty() || record.get().domainName().equals(domain)) {
                    last.addLast(new Line(record.get(), arguments));
                    if (last.size() > lines) {
                        last.removeFirst();
                    }
                }
                record = reader.next();
            }
        } catch (NoSuchFileException e) {
            throw new HvException(ExitCode.NOT_FOUND, "topology " + folder.name() + " has no journal yet", "");
        } catch (UncheckedIOException e) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "topology " + folder.name() + ": " + why(e),
                    "what comes before it can be believed");
        }
        Table table = new Table(
                        "hv.journal/1", "records", "TIME", "DOMAIN", "REQUEST", "PHASE", "VERB", "STATUS", "ARGUMENTS")
                .dropFirst("REQUEST", "PHASE");
        Instant now = Instant.now();
        last.forEach(line -> add(table, line.record(), line.arguments(), now));
        context().print(table);
        return ExitCode.OK.number();
    }

    private static void add(Table table, JournalRecord record, String arguments, Instant now) {
        Instant time = Instant.EPOCH.plus(record.timeMicros(), ChronoUnit.MICROS);
        String suppressed = record.suppressed() == 0 ? "" : " (" + record.suppressed() + " more refusals not recorded)";
        table.row(
                new Table.Shown(Times.local(time, now, ZoneId.systemDefault()), Times.iso(time)),
                record.domainName(),
                record.requestId(),
                record.phase().name().toLowerCase(Locale.ROOT),
                record.verb(),
                record.status().name(),
                arguments + suppressed);
    }

    private static String why(UncheckedIOException e) {
        Throwable cause = e.getCause();
        return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    }
}
