package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code hv ps}. */
@Command(
        name = "ps",
        aliases = "list",
        description = {
            "Lists the domains of running topologies with what they have of the HCA.",
            "STATE has xl's letters: r running, s shut down, c crashed, d dying. WEIGHT is its relative share"
                    + " of the HCA, RATE and MSG-RATE what it may send in a second"
                    + " at most. In JSON times are milliseconds, sizes bytes."
        },
        footer = {"  hv ps", "  hv ps -t pair --format json"})
public final class PsCommand extends HvCommand {
    public PsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException {
        Machines machines = new Machines(context());
        List<PsRow> rows = new ArrayList<>();
        boolean devices = false;
        for (MachineFolder folder : local(machines)) {
            try (RunningMachine machine = RunningMachine.attach(folder)) {
                devices |= addRows(machine, rows);
            } catch (MachineException e) {
                throw Failures.of(e);
            }
        }
        List<HostedTopology> hosted = hosted(machines);
        int exit = ExitCode.OK.number();
        for (HostedTopology topology : hosted) {
            exit = Math.max(exit, new HostedCommands(context(), topology).addRows(rows));
        }
        boolean hosts = !hosted.isEmpty();
        boolean all = devices || hosts;
        Table table = PsRow.table(hosts, all);
        rows.forEach(row -> row.addTo(table, hosts, all));
        context().print(table);
        return exit;
    }

    /** Machines of this computer; not those that are the parts of a topology over several hosts. */
    private static List<MachineFolder> local(Machines machines) throws HvException {
        if (machines.given() != null) {
            return machines.hosted().isPresent() ? List.of() : List.of(machines.runningFolder());
        }
        List<String> hosted =
                machines.allHosted().stream().map(MachineFolder::name).toList();
        return machines.allRunning().stream()
                .filter(folder -> !hosted.contains(Topology.wholeName(folder.name())))
                .toList();
    }

    private static List<HostedTopology> hosted(Machines machines) throws HvException {
        if (machines.given() != null) {
            return machines.hosted().stream().toList();
        }
        List<HostedTopology> all = new ArrayList<>();
        for (MachineFolder folder : machines.allHosted()) {
            all.add(HostedTopology.of(machines.root(), folder));
        }
        return all;
    }

    /** Returns whether the machine says which HCA each domain is on. */
    private static boolean addRows(RunningMachine machine, List<PsRow> rows) throws MachineException {
        MachineReport status = machine.client().status();
        Map<String, HcaView> hcas = new HashMap<>();
        for (String name : MachineHca.names(status)) {
            hcas.put(name, HcaView.read(machine.client(), name));
        }
        for (DomainReport domain : status.domains()) {
            HcaView hca = hcas.get(domain.hca());
            HcaView.Share has = hca == null ? new HcaView.Share(0, 0, 0, 0) : hca.shareOf(domain.id());
            Guest.Share engine = Quotas.share(status.description(), domain.name());
            rows.add(PsRow.of(machine.folder().name(), domain, has, engine));
        }
        return hcas.size() > 1 || Topology.isPart(machine.folder().name());
    }
}
