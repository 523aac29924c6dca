package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaDescription;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.devinfo.PortSheet;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hv port}. */
@Command(
        name = "port",
        description = {
            "Shows the ports of a running machine's HCA, or takes one down or up.",
            "Programs get PORT_ERR or PORT_ACTIVE; nothing passes a port that is down."
        },
        footer = {"  hv port", "  hv port 1 down", "  hv port 1 up"})
public final class PortCommand extends HvCommand {
    /** What a port is to be. */
    enum Wish {
        UP,
        DOWN
    }

    @Parameters(index = "0", paramLabel = "PORT", arity = "0..1", description = "From 1.")
    int port;

    @Parameters(index = "1", paramLabel = "up|down", arity = "0..1", description = "What to do.")
    @org.jspecify.annotations.Nullable
    Wish wish;

    public PortCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException {
        try (RunningMachine machine = new Machines(context()).running()) {
            MachineHca.Seen seen = MachineHca.of(machine);
            MachineHca.checkPort(seen, port);
            if (wish == null) {
                context().folded(list(seen).render(context().options().format()));
            } else {
                machine.client().setPort("", port, wish == Wish.UP);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    private Listing list(MachineHca.Seen seen) {
        Listing listing =
                new Listing("hv.port/1", "ports", List.of("link", "state", "physical_state", "lid", "active_mtu"));
        List<PortAttributes> ports = HcaDescription.of(seen.hca()).ports();
        for (int number = 1; number <= ports.size(); number++) {
            PortAttributes attributes = ports.get(number - 1);
            if (port == 0 || port == number) {
                listing.row(List.of(
                        seen.name() + "/" + number,
                        attributes.state().name(),
                        PortSheet.physicalState(attributes.link()),
                        attributes.lid(),
                        attributes.activeMtuBytes()));
            }
        }
        return listing;
    }
}
