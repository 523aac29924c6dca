package io.hyperverbs.launcher.node;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.node.wire.Bundle;
import io.hyperverbs.launcher.node.wire.GuestProgram;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.KnownPrograms;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * A host's part of a topology, from start to end. The machine lives as long as this process, and this process as long as
 * the machine: nothing is left of one without the other, however it ends.
 */
public final class NodeAgent {
    /** Pings of the operator, who wants to know soon that a host is gone. */
    private static final int PING_SECONDS = 5;

    private static final int MAX_MESSAGE_BYTES = 64 << 20;
    private static final int END_SECONDS = 5;

    private final Installation installation;
    private final StateRoot root;
    private final String hv;
    private final Map<String, String> environment;

    /**
     * @param hv path of the script that runs a command
     * @param environment of the commands that the operator has run, over that of this process
     */
    public NodeAgent(Installation installation, StateRoot root, String hv, Map<String, String> environment) {
        this.installation = installation;
        this.root = root;
        this.hv = hv;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Starts what its order says, and returns when that has ended. SIGTERM takes the machine down; a node whose order is a
     * file then ends with exit code 0, once its machine runs.
     *
     * @param ready gets the TCP port on the host's address that the operator is answered at
     * @param known what there is to name in a topology
     * @throws HvException if it does not start; FAILURE if the machine ends by itself
     */
    public void serve(NodeOrder order, IntConsumer ready, KnownPrograms known)
            throws HvException, IOException, InterruptedException {
        Bundle bundle = order.bundle();
        Topology whole = TopologyLoader.parse(bundle.getFile(), bundle.getTopology(), known);
        HostSpec host = whole.hosts().all().stream()
                .filter(one -> one.name().equals(bundle.getHost()))
                .findFirst()
                .orElseThrow(() -> new HvException(ExitCode.NOT_FOUND, "no host " + bundle.getHost(), ""));
        try (RunningMachine machine = start(whole.part(host.name()), bundle)) {
            NodeEnd end = new NodeEnd(machine, !order.isReleased());
            Runtime.getRuntime().addShutdownHook(new Thread(end::terminated, "take-down"));
            try {
                serve(machine, host, order, end, ready);
            } finally {
                end.finished();
            }
        }
    }

    private RunningMachine start(Topology part, Bundle bundle) throws HvException, IOException, InterruptedException {
        MachineLauncher.Mode mode = new MachineLauncher.Mode(
                false,
                bundle.getInsecure(),
                Optional.of(bundle.getSandbox()).filter(tier -> !tier.isEmpty()),
                Duration.ofMillis(bundle.getTimeoutMillis()),
                false,
                !bundle.getWithoutGroups(),
                false);
        try (WorkFolder work = WorkFolder.make()) {
            Map<String, Program> programs = new HashMap<>();
            for (GuestProgram program : bundle.getProgramsList()) {
                Path folder = work.path().resolve(program.getGuest());
                ProgramFiles.unpack(program.getFilesList(), folder);
                List<Path> files =
                        program.getClassPathList().stream().map(folder::resolve).toList();
                programs.put(
                        program.getGuest(),
                        new Program(program.getMainClass(), files, program.getArgsList(), program.getBrief()));
            }
            return new MachineLauncher(installation, root, new QuietProgress()).start(part, programs, mode);
        }
    }

    private void serve(RunningMachine machine, HostSpec host, NodeOrder order, NodeEnd end, IntConsumer ready)
            throws HvException, IOException, InterruptedException {
        Bundle bundle = order.bundle();
        NodeService service = new NodeService(machine.folder().name(), hv, environment, end::asked);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(Ipv4.text(host.address()), order.port()))
                .sslContext(NodeTls.server(
                        bundle.getAuthority(), new NodeTls.Identity(bundle.getCertificate(), bundle.getKey())))
                .executor(threads)
                .permitKeepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .intercept(new OperatorOnly())
                .addService(service)
                .build();
        try {
            listen(server, host, order.port());
            ready.accept(server.getPort());
            order.awaitRelease();
            machine.awaitExit();
            // An answer that is on its way gets there.
            server.shutdown();
            if (!end.isAsked()) {
                throw new HvException(
                        ExitCode.FAILURE,
                        "the machine on " + host.name() + " has ended by itself: its VMM is gone",
                        "");
            }
            boolean _ = server.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } finally {
            server.shutdownNow();
            threads.shutdownNow();
        }
    }

    private static void listen(Server server, HostSpec host, int port) throws HvException {
        try {
            server.start();
        } catch (IOException e) {
            String place = Ipv4.text(host.address()) + (port == 0 ? "" : ":" + port);
            throw new HvException(
                    ExitCode.CONFLICT,
                    "cannot listen on " + place + ": " + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    "the address has to be one of this computer, and the port free");
        }
    }
}
