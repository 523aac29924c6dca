package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.cli.Table;
import io.hyperverbs.toolstack.topology.Guest;
import io.hyperverbs.toolstack.topology.Topology;
import io.hyperverbs.toolstack.topology.TopologyLoader;
import io.hyperverbs.toolstack.topology.Units;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;

/** {@code hv validate}. */
@Command(
        name = "validate",
        description = "Checks topology files and shows what they ask for.",
        footer = {"  hv validate", "  hv validate examples/pair.hv.yaml --format json"})
public final class ValidateCommand extends HvCommand {
    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files (default: as for hv up).")
    List<String> files = new ArrayList<>();

    public ValidateCommand(Desk desk) {
        super(desk);
    }

    @Override
    public Integer call() throws HvException {
        List<Topology> topologies = new ArrayList<>();
        if (files.isEmpty()) {
            topologies.add(new Machines(desk()).topology());
        }
        for (String file : files) {
            topologies.add(TopologyLoader.load(desk().path(file), file));
        }
        Table table =
                new Table(
                        "hv.validate/1",
                        "guests",
                        "TOPOLOGY",
                        "NAME",
                        "KIND",
                        "MEM",
                        "PATH",
                        "WEIGHT",
                        "QUOTA",
                        "APP");
        for (Topology topology : topologies) {
            topology.warnings().forEach(desk()::note);
            for (Guest guest : topology.guests()) {
                table.row(
                        topology.name(),
                        guest.name(),
                        guest.nativeDomain() ? "native" : "guest",
                        new Table.Shown(
                                Units.formatBytes(guest.memoryBytes()), guest.memoryBytes()),
                        guest.path(),
                        guest.weight(),
                        quota(guest),
                        guest.app()
                                .map(
                                        app ->
                                                (app.main() + " " + String.join(" ", app.args()))
                                                        .strip())
                                .orElse(null));
            }
        }
        desk().print(table);
        return ExitCode.OK.number();
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
