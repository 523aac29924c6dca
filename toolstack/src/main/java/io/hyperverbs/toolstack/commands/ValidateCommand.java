package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.cli.Table;
import io.hyperverbs.toolstack.topology.Guest;
import io.hyperverbs.toolstack.topology.Topology;
import io.hyperverbs.toolstack.topology.TopologyLoader;
import io.hyperverbs.toolstack.topology.Units;
import java.util.ArrayList;
import java.util.List;
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
                topologies.add(TopologyLoader.load(context().path(file), file, Isolation::names));
            } catch (HvException e) {
                failures.add(e);
            }
        }
        Table table = new Table(
                        "hv.validate/1", "guests", "TOPOLOGY", "NAME", "KIND", "MEM", "PATH", "WEIGHT", "QUOTA", "APP")
                .dropFirst("WEIGHT", "KIND", "PATH", "QUOTA", "TOPOLOGY");
        for (Topology topology : topologies) {
            topology.warnings().forEach(context()::note);
            for (Guest guest : topology.guests()) {
                table.row(
                        topology.name(),
                        guest.name(),
                        guest.nativeDomain() ? "native" : "guest",
                        new Table.Shown(Units.formatBytes(guest.memoryBytes()), guest.memoryBytes()),
                        guest.path(),
                        guest.weight(),
                        quota(guest),
                        guest.app()
                                .map(app -> (app.main() + " " + String.join(" ", app.args())).strip())
                                .orElse(null));
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
