package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.ip.IpBench;
import io.hyperverbs.lab.run.ip.IpCell;
import io.hyperverbs.lab.run.ip.IpMachine;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench ip}. */
@Command(
        name = "ip",
        description = {
            "Measures TCP over IP over InfiniBand: half round trips and streams by size, between two native domains,"
                    + " two guests, and two guests on the forwarded data path, in turn. The sockets are the same: both"
                    + " ends are in this process, in the networks of the domains.",
            "Starts a machine of its own and leaves nothing. For root."
        },
        footer = {"  hv bench ip --quick", "  hv bench ip -s 1,65536 --format json"})
public final class IpCommand extends HvCommand {
    private static final int MOST_BYTES = 16 << 20;
    private static final List<Integer> STANDARD_SIZES = List.of(1, 1024, 4096, 65536, 1048576);

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Mixin
    RoundOptions terms = new RoundOptions();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Sizes of messages and writes, 1 to 16777216 (default: 1,1024,4096,65536,1048576).")
    List<String> sizes = new ArrayList<>();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "How packets go: datagram or connected (default: ${DEFAULT-VALUE}).")
    String mode = GuestAddress.DATAGRAM;

    public IpCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        if (!SandboxProbe.isRoot()) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "hv bench ip needs root, as only root has sockets in the networks of its guests",
                    "a program in a guest needs no root: hv exec a -- iperf3 -c b");
        }
        List<IpCell> cells = IpCell.of(Choices.bytesWithin("-s", sizes, 1, MOST_BYTES, STANDARD_SIZES));
        int count = terms.count();
        String[] modes = {GuestAddress.DATAGRAM, GuestAddress.CONNECTED};
        String chosen = Choices.pick("--mode", List.of(mode), modes, Function.identity())
                .getFirst();
        Topology topology = IpMachine.topology("ip-" + ProcessHandle.current().pid(), chosen, "hv bench ip");
        RunningMachine started = Launch.start(
                context(), topology, context().environment().folder(), Launch.mode(context(), false, launch));
        IpBench bench = Launch.once(started, machine -> measure(machine, cells, count));
        context().print(bench.table());
        return ExitCode.OK.number();
    }

    private IpBench measure(RunningMachine machine, List<IpCell> cells, int count)
            throws HvException, InterruptedException {
        try (Progress progress = context().progress()) {
            IpBench bench = new IpBench(IpMachine.pairs(machine), cells, count);
            bench.run(progress);
            return bench;
        } catch (IOException | MachineException e) {
            throw new HvException(ExitCode.FAILURE, "cannot measure sockets: " + e.getMessage(), "");
        }
    }
}
