package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    private static final int AFTER_KIND = 4;

    public PsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        Machines machines = new Machines(context());
        List<MachineFolder> folders =
                machines.given() == null ? machines.allRunning() : List.of(machines.runningFolder());
        List<Shown> shown = new ArrayList<>();
        for (MachineFolder folder : folders) {
            try (RunningMachine machine = RunningMachine.attach(folder)) {
                shown.add(Shown.of(machine));
            } catch (MachineException e) {
                throw Failures.of(e);
            }
        }
        boolean several = shown.stream().anyMatch(one -> one.hcas.size() > 1);
        Table table = table(several);
        shown.forEach(one -> add(table, one, several));
        context().print(table);
        return ExitCode.OK.number();
    }

    /** A machine at one moment: its domains, and what its HCAs hold, by name. */
    private record Shown(String topology, MachineReport status, Map<String, HcaView> hcas) {
        static Shown of(RunningMachine machine) throws MachineException {
            MachineReport status = machine.client().status();
            Map<String, HcaView> hcas = new LinkedHashMap<>();
            for (String name : MachineHca.names(status)) {
                hcas.put(name, HcaView.read(machine.client(), name));
            }
            return new Shown(machine.folder().name(), status, hcas);
        }

        HcaView.Share share(DomainReport domain) {
            HcaView hca = hcas.get(domain.hca());
            return hca == null ? new HcaView.Share(0, 0, 0, 0) : hca.shareOf(domain.id());
        }
    }

    /** {@code several}: with a column for the HCA that each domain is on. */
    private static Table table(boolean several) {
        List<String> columns = new ArrayList<>(List.of(
                "TOPOLOGY",
                "NAME",
                "ID",
                "KIND",
                "PID",
                "MEM",
                "STATE",
                "QP",
                "CQ",
                "MR",
                "REGISTERED",
                "WEIGHT",
                "RATE",
                "MSG-RATE",
                "UP"));
        if (several) {
            columns.add(AFTER_KIND, "DEVICE");
        }
        return new Table("hv.ps/1", "domains", columns.toArray(String[]::new))
                .dropFirst("MSG-RATE", "RATE", "WEIGHT", "KIND", "PID", "ID", "REGISTERED", "MR", "CQ");
    }

    private static void add(Table table, Shown machine, boolean several) {
        long now = System.currentTimeMillis();
        for (DomainReport domain : machine.status.domains()) {
            HcaView.Share share = machine.share(domain);
            boolean served = domain.kind() != DomainKind.BACKEND;
            Guest.Share engine = Quotas.share(machine.status.description(), domain.name());
            List<@Nullable Object> row = new ArrayList<>(Arrays.<@Nullable Object>asList(
                    machine.topology,
                    domain.name(),
                    domain.id(),
                    domain.kind().name().toLowerCase(Locale.ROOT),
                    domain.pid() == 0 ? null : domain.pid(),
                    size(domain.memoryBytes()),
                    StateWords.state(domain.state()),
                    share.qp(),
                    share.cq(),
                    share.mr(),
                    size(share.registeredBytes()),
                    served ? engine.weight() : null,
                    engine.bytesPerSecond() == 0 ? null : rate(engine.bytesPerSecond()),
                    engine.messagesPerSecond() == 0 ? null : engine.messagesPerSecond(),
                    StateWords.up(domain.startedEpochMillis(), now)));
            if (several) {
                row.add(AFTER_KIND, domain.hca());
            }
            table.row(row.toArray());
        }
    }

    private static Table.Shown rate(long bytesPerSecond) {
        return new Table.Shown(Units.formatBytes(bytesPerSecond) + "/s", bytesPerSecond);
    }

    private static Table.Shown size(long bytes) {
        return new Table.Shown(Units.formatBytes(bytes), bytes);
    }
}
