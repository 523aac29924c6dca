package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Parallel;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.node.wire.Bundle;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Starts topologies over several hosts, all hosts side by side. What fails takes down all that was started. */
public final class HostsLauncher {
    /** For what comes before a machine's start: a login, a queue, a JVM. */
    private static final Duration BEFORE = Duration.ofSeconds(60);

    private final StateRoot root;
    private final String hv;
    private final Progress progress;

    /**
     * @param hv path of the script on this computer
     */
    public HostsLauncher(StateRoot root, String hv, Progress progress) {
        this.root = root;
        this.hv = hv;
        this.progress = progress;
    }

    /**
     * Starts a topology; returns when all domains of all hosts are ready.
     *
     * @param file name of its file in messages
     * @param programs what guests run, by name
     * @throws HvException CONFLICT if the name is taken; the reason of the first host that does not come up
     */
    public HostsFile start(
            Topology topology, String file, Map<String, Program> programs, Launcher by, MachineLauncher.Mode mode)
            throws HvException, InterruptedException {
        return HostsClaim.take(
                root,
                topology.name(),
                folder -> start(folder, new Bundles(topology, file, programs, mode), by, mode.timeout()));
    }

    private HostsFile start(MachineFolder folder, Bundles bundles, Launcher by, Duration timeout)
            throws HvException, IOException, InterruptedException {
        Topology topology = bundles.topology();
        progress.begin(
                "starting " + topology.name() + " by " + by.name().toLowerCase(Locale.ROOT),
                topology.hosts().all().size());
        TopologyCertificates certificates = new TopologyCertificates(topology.name(), Instant.now());
        List<HostStart> starts = new ArrayList<>();
        boolean started = false;
        try {
            List<Callable<Boolean>> waits = new ArrayList<>();
            for (HostSpec host : topology.hosts().all()) {
                Bundle bundle = bundles.of(host.name(), certificates);
                Path errors = folder.path().resolve(host.name() + ".err");
                HostStart start = new HostStart(host, by.command(host, hv), errors);
                starts.add(start);
                waits.add(() -> {
                    start.await(bundle, timeout.plus(BEFORE));
                    progress.step(host.name());
                    return true;
                });
            }
            Parallel.run(waits, "a host did not start");
            HostsFile running = new HostsFile(
                    topology.name(),
                    by,
                    starts.stream().map(start -> start.place(topology)).toList(),
                    certificates.authority(),
                    certificates.operator());
            running.write(folder);
            for (HostStart start : starts) {
                start.release();
            }
            started = true;
            return running;
        } finally {
            if (!started) {
                giveUp(starts);
                folder.delete();
            }
        }
    }

    private static void giveUp(List<HostStart> starts) throws HvException, InterruptedException {
        List<Callable<Boolean>> ends = new ArrayList<>();
        for (HostStart start : starts) {
            ends.add(() -> {
                start.giveUp();
                return true;
            });
        }
        Parallel.run(ends, "a host did not end");
    }
}
