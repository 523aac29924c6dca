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
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv devinfo}. */
@Command(
        name = "devinfo",
        description = {
            "Prints the attributes of a running machine's HCA as ibv_devinfo does; with -v all of" + " them.",
            "With DOM as that domain sees them: its quotas bound what it may have."
        },
        footer = {"  hv devinfo -v", "  hv devinfo -v a -i 1", "  hv devinfo -v --format json"})
public final class DevinfoCommand extends HvCommand {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "The device, such as hv0 (default: the one there is).")
    String device = "";

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
    public Integer call() throws HvException {
        try (RunningMachine machine = new Machines(context()).running()) {
            MachineHca.Seen seen = MachineHca.of(machine);
            if (!device.isEmpty() && !device.equals(seen.name())) {
                throw new HvException(
                        ExitCode.NOT_FOUND,
                        "no device " + device + " in " + machine.folder().name(),
                        "there is " + seen.name());
            }
            if (list) {
                context().print(new Table("hv.devinfo/1", "devices", "HCA_ID").row(seen.name()));
            } else {
                print(sheet(seen, quota(machine, seen)));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    private ToLongFunction<QuotaKind> quota(RunningMachine machine, MachineHca.Seen seen) throws HvException {
        if (domain.isEmpty()) {
            return kind -> Long.MAX_VALUE;
        }
        DomainReport report = Machines.domain(machine, domain);
        if (report.kind() == DomainKind.BACKEND) {
            throw new HvException(ExitCode.USAGE, domain + " is the device domain", "it has no quotas");
        }
        Quota quota = Quotas.of(seen.description(), report.name(), report.memoryBytes());
        return quota::max;
    }

    private DeviceSheet sheet(MachineHca.Seen seen, ToLongFunction<QuotaKind> quota) throws HvException {
        boolean verbose = context().options().verbose();
        HcaDescription hca = HcaDescription.of(seen.hca());
        List<PortSheet> ports = new ArrayList<>();
        List<PortAttributes> all = hca.ports();
        MachineHca.checkPort(seen, port);
        for (int number = 1; number <= all.size(); number++) {
            if (port == 0 || port == number) {
                ports.add(PortSheet.of(number, all.get(number - 1), hca.gids(number), verbose));
            }
        }
        return new DeviceSheet(seen.name(), hca.device(quota), ports, verbose);
    }

    private void print(DeviceSheet sheet) {
        switch (context().options().format()) {
            case TABLE -> context().text(sheet.text());
            case JSON, JSONL -> {
                ObjectNode object = Json.object().put("schema", "hv.devinfo/1");
                object.putArray("devices").add(sheet.json());
                context().print(object);
            }
            case CSV -> {
                Table table = new Table("hv.devinfo/1", "attributes", "HCA_ID", "PORT", "NAME", "VALUE");
                sheet.addTo(table);
                context().text(table.render(Format.CSV));
            }
        }
    }
}
