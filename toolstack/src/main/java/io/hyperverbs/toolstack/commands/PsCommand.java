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
import java.util.List;
import java.util.Locale;
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
    public Integer call() throws HvException {
        Machines machines = new Machines(context());
        List<MachineFolder> folders =
                machines.given() == null ? machines.allRunning() : List.of(machines.runningFolder());
        Table table = new Table(
                        "hv.ps/1",
                        "domains",
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
                        "UP")
                .dropFirst("MSG-RATE", "RATE", "WEIGHT", "KIND", "PID", "ID", "REGISTERED", "MR", "CQ");
        for (MachineFolder folder : folders) {
            try (RunningMachine machine = RunningMachine.attach(folder)) {
                add(table, machine);
            } catch (MachineException e) {
                throw Failures.of(e);
            }
        }
        context().print(table);
        return ExitCode.OK.number();
    }

    private static void add(Table table, RunningMachine machine) throws MachineException {
        long now = System.currentTimeMillis();
        HcaView hca = HcaView.read(machine.client());
        MachineReport status = machine.client().status();
        for (DomainReport domain : status.domains()) {
            HcaView.Share share = hca.shareOf(domain.id());
            boolean served = domain.kind() != DomainKind.BACKEND;
            Guest.Share engine = Quotas.share(status.description(), domain.name());
            table.row(
                    machine.folder().name(),
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
                    StateWords.up(domain.startedEpochMillis(), now));
        }
    }

    private static Table.Shown rate(long bytesPerSecond) {
        return new Table.Shown(Units.formatBytes(bytesPerSecond) + "/s", bytesPerSecond);
    }

    private static Table.Shown size(long bytes) {
        return new Table.Shown(Units.formatBytes(bytes), bytes);
    }
}
