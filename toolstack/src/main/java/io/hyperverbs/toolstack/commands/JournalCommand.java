package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.journal.JournalReader;
import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.output.Times;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    DeviceOption device = new DeviceOption();

    @Option(names = "--raw", description = "Arguments as they are recorded, with handles in place of numbers.")
    boolean raw;

    @Parameters(paramLabel = "DOM", arity = "0..1", description = "Records of that domain only.")
    String domain = "";

    /** A record of an HCA's journal, and what to show of its arguments. */
    private record Line(String device, JournalRecord record, String arguments) {}

    public JournalCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return domain.isEmpty() ? device.name : domain;
    }

    @Override
    public Integer call() throws HvException, IOException {
        MachineFolder folder = new Machines(context()).runningFolder();
        Map<String, Path> journals = folder.journals();
        if (!device.name.isEmpty() && journals.size() > 1 && !journals.containsKey(device.name)) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no device " + device.name + " in " + folder.name(),
                    "there are " + String.join(", ", journals.keySet()));
        }
        List<Line> all = new ArrayList<>();
        for (Map.Entry<String, Path> journal : journals.entrySet()) {
            if (device.name.isEmpty()
                    || journals.size() == 1
                    || journal.getKey().equals(device.name)) {
                all.addAll(read(folder, journal.getKey(), journal.getValue()));
            }
        }
        boolean several = journals.size() > 1;
        if (several) {
            all.sort(Comparator.comparingLong(line -> line.record().timeMicros()));
        }
        Table table = table(several);
        Instant now = Instant.now();
        all.subList(Math.max(0, all.size() - Math.max(0, lines)), all.size())
                .forEach(line -> add(table, line, now, several));
        context().print(table);
        return ExitCode.OK.number();
    }

    /** The last records of one journal. */
    private Deque<Line> read(MachineFolder folder, String hca, Path place) throws HvException {
        Deque<Line> last = new ArrayDeque<>();
        JournalWords words = new JournalWords(raw);
        try (JournalReader reader = JournalReader.open(place)) {
            Optional<JournalRecord> record = reader.next();
            while (record.isPresent()) {
                // Also of records that are not shown: they say how later ones call things.
                String arguments = words.of(record.get());
                if (domain.isEmpty() || record.get().domainName().equals(domain)) {
                    last.addLast(new Line(hca, record.get(), arguments));
                    if (last.size() > lines) {
                        last.removeFirst();
                    }
                }
                record = reader.next();
            }
            return last;
        } catch (NoSuchFileException e) {
            throw new HvException(ExitCode.NOT_FOUND, "topology " + folder.name() + " has no journal yet", "");
        } catch (UncheckedIOException e) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "topology " + folder.name() + ": " + why(e),
                    "what comes before it can be believed");
        }
    }

    /** {@code several}: with a column for the HCA. */
    private static Table table(boolean several) {
        List<String> columns =
                new ArrayList<>(List.of("TIME", "DOMAIN", "REQUEST", "PHASE", "VERB", "STATUS", "ARGUMENTS"));
        if (several) {
            columns.add(1, "DEVICE");
        }
        return new Table("hv.journal/1", "records", columns.toArray(String[]::new)).dropFirst("REQUEST", "PHASE");
    }

    private static void add(Table table, Line line, Instant now, boolean several) {
        JournalRecord record = line.record();
        Instant time = Instant.EPOCH.plus(record.timeMicros(), ChronoUnit.MICROS);
        String suppressed = record.suppressed() == 0 ? "" : " (" + record.suppressed() + " more refusals not recorded)";
        List<Object> row = new ArrayList<>(List.of(
                new Table.Shown(Times.local(time, now, ZoneId.systemDefault()), Times.iso(time)),
                record.domainName(),
                record.requestId(),
                record.phase().name().toLowerCase(Locale.ROOT),
                record.verb(),
                record.status().name(),
                line.arguments() + suppressed));
        if (several) {
            row.add(1, line.device());
        }
        table.row(row.toArray());
    }

    private static String why(UncheckedIOException e) {
        Throwable cause = e.getCause();
        return String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
    }
}
