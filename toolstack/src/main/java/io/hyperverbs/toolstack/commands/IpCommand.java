package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.lab.run.ip.IpBench;
import io.hyperverbs.lab.run.ip.IpCell;
import io.hyperverbs.lab.run.ip.IpPair;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
            paramLabel = "BYTES",
            split = ",",
            description = "Sizes of messages and writes, 1 to 16777216 (default: 1,1024,4096,65536,1048576).")
    List<Integer> sizes = new ArrayList<>();

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
        List<IpCell> cells = IpCell.of(Choices.within("-s", sizes, 1, MOST_BYTES, STANDARD_SIZES));
        int count = terms.count();
        String[] modes = {GuestAddress.DATAGRAM, GuestAddress.CONNECTED};
        String chosen = Choices.pick("--mode", List.of(mode), modes, Function.identity())
                .getFirst();
        Topology topology = topology("ip-" + ProcessHandle.current().pid(), chosen);
        RunningMachine started = Launch.start(
                context(), topology, context().environment().folder(), Launch.mode(context(), false, launch));
        IpBench bench = Launch.once(started, machine -> measure(machine, cells, count));
        context().print(bench.table());
        return ExitCode.OK.number();
    }

    /** Two domains on each path, all on one link. */
    private static Topology topology(String name, String mode) throws HvException {
        String text = """
            apiVersion: hv/v1
            name: NAME
            hca: { mtu: 4096 }
            defaults: { guest: { memory: 32MiB, executables: { count: 1, memory: 1MiB } } }
            guests:
              native-1: { native: true, ip: { address: 10.1.0.1/24, mode: MODE } }
              native-2: { native: true, ip: { address: 10.1.0.2/24, mode: MODE } }
              bypass-1: { ip: { address: 10.1.0.3/24, mode: MODE } }
              bypass-2: { ip: { address: 10.1.0.4/24, mode: MODE } }
              forwarded-1: { path: forwarded, ip: { address: 10.1.0.5/24, mode: MODE } }
              forwarded-2: { path: forwarded, ip: { address: 10.1.0.6/24, mode: MODE } }
            """.replace("NAME", name).replace("MODE", mode);
        return TopologyLoader.parse("hv bench ip", text, new LabPrograms());
    }

    private IpBench measure(RunningMachine machine, List<IpCell> cells, int count) throws HvException {
        try (Progress progress = context().progress()) {
            IpBench bench = new IpBench(pairs(machine), cells, count);
            bench.run(progress);
            return bench;
        } catch (IOException | MachineException e) {
            throw new HvException(ExitCode.FAILURE, "cannot measure sockets: " + e.getMessage(), "");
        }
    }

    private static List<IpPair> pairs(RunningMachine machine) throws MachineException {
        Map<String, Path> networks = new TreeMap<>();
        for (DomainReport domain : machine.client().status().domains()) {
            networks.put(domain.name(), Path.of(domain.network()));
        }
        return List.of(
                pair(networks, "native", "10.1.0.2"),
                pair(networks, "bypass", "10.1.0.4"),
                pair(networks, "forwarded", "10.1.0.6"));
    }

    private static IpPair pair(Map<String, Path> networks, String path, String address) {
        return new IpPair(
                path,
                networks.getOrDefault(path + "-1", Path.of("")),
                networks.getOrDefault(path + "-2", Path.of("")),
                address);
    }
}
