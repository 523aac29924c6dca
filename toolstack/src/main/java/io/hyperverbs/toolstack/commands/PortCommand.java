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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code hv port}. */
@Command(
        name = "port",
        description = {
            "Shows the ports of a running machine's HCAs, or takes one down or up.",
            "Programs get PORT_ERR or PORT_ACTIVE; nothing passes a port that is down."
        },
        footer = {"  hv port", "  hv port 1 down", "  hv port -d hv1 1 up"})
public final class PortCommand extends HvCommand {
    /** What a port is to be. */
    enum Wish {
        UP,
        DOWN
    }

    @Mixin
    DeviceOption device = new DeviceOption();

    @Parameters(index = "0", paramLabel = "PORT", arity = "0..1", description = "From 1.")
    int port;

    @Parameters(index = "1", paramLabel = "up|down", arity = "0..1", description = "What to do.")
    @org.jspecify.annotations.Nullable
    Wish wish;

    public PortCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return device.name;
    }

    @Override
    public Integer call() throws HvException {
        try (RunningMachine machine = new Machines(context()).running()) {
            if (wish == null) {
                List<MachineHca.Seen> seen = MachineHca.chosen(machine, device.name);
                MachineHca.checkPort(seen, port);
                context().folded(list(seen).render(context().options().format()));
            } else {
                MachineHca.Seen seen = MachineHca.one(machine, device.name);
                MachineHca.checkPort(List.of(seen), port);
                machine.client().setPort(seen.name(), port, wish == Wish.UP);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    private Listing list(List<MachineHca.Seen> all) {
        Listing listing =
                new Listing("hv.port/1", "ports", List.of("link", "state", "physical_state", "lid", "active_mtu"));
        all.forEach(seen -> addTo(listing, seen));
        return listing;
    }

    private void addTo(Listing listing, MachineHca.Seen seen) {
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
    }
}
