package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hv validate}. */
@Command(
        name = "validate",
        description = "Checks topology files and shows what they ask for.",
        footer = {"  hv validate", "  hv validate examples/pair.hv.yaml --format json"})
public final class ValidateCommand extends HvCommand {
    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files (default: as for hv up).")
    List<String> files = new ArrayList<>();

    private static final int AFTER_KIND = 3;

    public ValidateCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        List<Topology> topologies = new ArrayList<>();
        if (files.isEmpty()) {
            topologies.add(new Machines(context()).topology());
        }
        List<HvException> failures = new ArrayList<>();
        for (String file : files) {
            try {
                topologies.add(TopologyLoader.load(context().path(file), file, new LabPrograms()));
            } catch (HvException e) {
                failures.add(e);
            }
        }
        boolean several =
                topologies.stream().anyMatch(topology -> topology.hcas().size() > 1);
        List<String> columns =
                new ArrayList<>(List.of("TOPOLOGY", "NAME", "KIND", "MEM", "PATH", "WEIGHT", "QUOTA", "APP"));
        if (several) {
            columns.add(AFTER_KIND, "DEVICE");
        }
        Table table = new Table("hv.validate/1", "guests", columns.toArray(String[]::new))
                .dropFirst("WEIGHT", "KIND", "PATH", "QUOTA", "TOPOLOGY");
        for (Topology topology : topologies) {
            topology.warnings().forEach(context()::note);
            for (Guest guest : topology.guests()) {
                List<@Nullable Object> row = new ArrayList<>(Arrays.<@Nullable Object>asList(
                        topology.name(),
                        guest.name(),
                        guest.nativeDomain() ? "native" : "guest",
                        new Table.Shown(Units.formatBytes(guest.memoryBytes()), guest.memoryBytes()),
                        guest.path(),
                        guest.weight(),
                        quota(guest),
                        guest.app().map(Guest.App::line).orElse(null)));
                if (several) {
                    row.add(AFTER_KIND, topology.hcaOf(guest).name());
                }
                table.row(row.toArray());
            }
        }
        if (failures.isEmpty() || !topologies.isEmpty()) {
            context().print(table);
        }
        if (!failures.isEmpty()) {
            throw all(failures);
        }
        return ExitCode.OK.number();
    }

    /** What is wrong in each file; a topology that is not valid counts more than one not there. */
    private static HvException all(List<HvException> failures) {
        boolean invalid = failures.stream().anyMatch(one -> one.exit() == ExitCode.INVALID_TOPOLOGY);
        return new HvException(
                invalid ? ExitCode.INVALID_TOPOLOGY : failures.getFirst().exit(),
                failures.stream().flatMap(one -> one.problems().stream()).toList());
    }

    private static String quota(Guest guest) {
        return guest.quota().isEmpty()
                ? "standard"
                : String.join(
                        " ",
                        guest.quota().entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .sorted()
                                .toList());
    }
}
