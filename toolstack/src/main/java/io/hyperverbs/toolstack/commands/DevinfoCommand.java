package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.launcher.context.HcaDescription;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.devinfo.DeviceSheet;
import io.hyperverbs.toolstack.devinfo.PortSheet;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv devinfo}. */
@Command(
        name = "devinfo",
        description = {
            "Prints the attributes of a running machine's HCAs as ibv_devinfo does; with -v all of" + " them.",
            "With DOM as that domain sees them: its quotas bound what it may have."
        },
        footer = {"  hv devinfo -v", "  hv devinfo -v a -i 1", "  hv devinfo -v --format json"})
public final class DevinfoCommand extends HvCommand {
    @Mixin
    DeviceOption device = new DeviceOption();

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "That port only.")
    int port;

    @Option(
            names = {"-l", "--list"},
            description = "Names of devices only.")
    boolean list;

    @Parameters(paramLabel = "DOM", arity = "0..1", description = "As this domain sees it.")
    String domain = "";

    public DevinfoCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return domain.isEmpty() ? device.name : domain;
    }

    @Override
    public Integer call() throws HvException {
        try (RunningMachine machine = new Machines(context()).running()) {
            Optional<DomainReport> viewer =
                    domain.isEmpty() ? Optional.empty() : Optional.of(Machines.domain(machine, domain));
            List<MachineHca.Seen> seen = MachineHca.chosen(machine, device(viewer));
            if (list) {
                Table table = new Table("hv.devinfo/1", "devices", "HCA_ID");
                seen.forEach(one -> table.row(one.name()));
                context().print(table);
            } else {
                MachineHca.checkPort(seen, port);
                List<DeviceSheet> sheets = new ArrayList<>();
                for (MachineHca.Seen one : seen) {
                    sheets.add(sheet(one, quota(viewer, one)));
                }
                print(sheets);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    /** The device that is named, or that the domain sees. */
    private String device(Optional<DomainReport> viewer) throws HvException {
        if (viewer.isEmpty()) {
            return device.name;
        }
        String own = viewer.get().hca();
        if (!device.name.isEmpty() && !device.name.equals(own)) {
            throw new HvException(ExitCode.NOT_FOUND, domain + " sees no device " + device.name, "it is on " + own);
        }
        return own;
    }

    private ToLongFunction<QuotaKind> quota(Optional<DomainReport> viewer, MachineHca.Seen seen) throws HvException {
        if (viewer.isEmpty()) {
            return kind -> Long.MAX_VALUE;
        }
        DomainReport report = viewer.get();
        if (report.kind() == DomainKind.BACKEND) {
            throw new HvException(ExitCode.USAGE, domain + " is the device domain", "it has no quotas");
        }
        Quota quota = Quotas.of(seen.description(), report.name(), report.memoryBytes());
        return quota::max;
    }

    private DeviceSheet sheet(MachineHca.Seen seen, ToLongFunction<QuotaKind> quota) {
        boolean verbose = context().options().verbose();
        HcaDescription hca = HcaDescription.of(seen.hca());
        List<PortSheet> ports = new ArrayList<>();
        List<PortAttributes> all = hca.ports();
        for (int number = 1; number <= all.size(); number++) {
            if (port == 0 || port == number) {
                ports.add(PortSheet.of(number, all.get(number - 1), hca.gids(number), verbose));
            }
        }
        return new DeviceSheet(seen.name(), hca.device(quota), ports, verbose);
    }

    private void print(List<DeviceSheet> sheets) {
        switch (context().options().format()) {
            case TABLE -> sheets.forEach(sheet -> context().text(sheet.text()));
            case JSON, JSONL -> {
                ObjectNode object = Json.object().put("schema", "hv.devinfo/1");
                ArrayNode devices = object.putArray("devices");
                sheets.forEach(sheet -> devices.add(sheet.json()));
                context().print(object);
            }
            case CSV -> {
                Table table = new Table("hv.devinfo/1", "attributes", "HCA_ID", "PORT", "NAME", "VALUE");
                sheets.forEach(sheet -> sheet.addTo(table));
                context().text(table.render(Format.CSV));
            }
        }
    }
}
