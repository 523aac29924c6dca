package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A topology over hosts whose nodes something else than {@code hv up} is to start: each gets a file and a port. The
 * operator's key is kept as after {@code hv up}, so that hosts can be asked as soon as they run.
 */
public final class HostsExport {
    private final StateRoot root;

    public HostsExport(StateRoot root) {
        this.root = root;
    }

    /** Puts the files where the hosts get them from. */
    public interface Sink {
        /**
         * @param files what {@code hv node --bundle} reads on each host, with the host's key in it
         */
        void put(Map<HostSpec, byte[]> files) throws HvException;
    }

    /**
     * Makes new keys, has {@code sink} put away the hosts', and keeps the operator's. Nothing is kept if the sink fails.
     *
     * @param file name of the topology's file in messages
     * @param programs what guests run, by name
     * @param port TCP port that each host is to listen on
     * @throws HvException CONFLICT if the topology runs or was exported; what the sink throws
     */
    public void export(
            Topology topology,
            String file,
            Map<String, Program> programs,
            MachineLauncher.Mode mode,
            int port,
            Sink sink)
            throws HvException, InterruptedException {
        Bundles bundles = new Bundles(topology, file, programs, mode);
        boolean _ = HostsClaim.take(root, topology.name(), folder -> {
            boolean done = false;
            try {
                export(folder, bundles, port, sink);
                done = true;
                return true;
            } finally {
                if (!done) {
                    folder.delete();
                }
            }
        });
    }

    private static void export(MachineFolder folder, Bundles bundles, int port, Sink sink)
            throws HvException, IOException {
        Topology topology = bundles.topology();
        TopologyCertificates certificates = new TopologyCertificates(topology.name(), Instant.now());
        Map<HostSpec, byte[]> files = new LinkedHashMap<>();
        List<HostPlace> places = new ArrayList<>();
        for (HostSpec host : topology.hosts().all()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bundles.of(host.name(), certificates).writeDelimitedTo(bytes);
            files.put(host, bytes.toByteArray());
            places.add(HostPlace.of(topology, host, port, Optional.empty()));
        }
        sink.put(files);
        new HostsFile(topology.name(), Launcher.KUBERNETES, places, certificates.authority(), certificates.operator())
                .write(folder);
    }
}
