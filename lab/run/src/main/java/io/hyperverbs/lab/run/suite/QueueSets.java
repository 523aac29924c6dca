package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.QueueSetProgram;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.HopWatch;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.control.MachineClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Domains that run {@link QueueSetProgram}: on each path so many, which hold queue pairs and write on them. One thread. */
final class QueueSets {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long MEMORY_BYTES = 128L << 20;

    private final StoreCommands commands;
    private final OtherWork otherWork = new OtherWork();
    private final HopWatch hops = new HopWatch();

    QueueSets(MachineClient client) {
        commands = new StoreCommands(client, PATIENCE);
    }

    /**
     * A guest that runs the program, which quotas of verbs a second and journal do not hold up.
     *
     * @param queuePairs that it may hold
     */
    static Guest guest(String name, int queuePairs) {
        return Guest.named(name)
                .withMemory(MEMORY_BYTES)
                .withQuota(Map.of("qp", (long) queuePairs, "control-rate", 100_000_000L, "journal", 1L << 40))
                .onPath("bypass,forwarded")
                .running(QueueSetProgram.class.getName());
    }

    /**
     * So many guests, and as many native domains.
     *
     * @param queuePairs that each may hold
     */
    static Topology topology(String name, int count, int queuePairs) {
        List<Guest> guests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            guests.add(guest(domain(MeasuredPath.BYPASS, i), queuePairs));
            guests.add(guest(domain(MeasuredPath.NATIVE, i), queuePairs)
                    .onPath("bypass")
                    .asNative());
        }
        return new Topology(name, HcaSpec.standard(), guests, List.of(), "hv bench suite");
    }

    private static String domain(MeasuredPath path, int index) {
        return (path == MeasuredPath.NATIVE ? "n" : "g") + index;
    }

    /** Waits until the programs of that many domains on each path take commands. */
    void awaitReady(int count) throws HvException, InterruptedException {
        for (int i = 0; i < count; i++) {
            commands.awaitReady(domain(MeasuredPath.NATIVE, i));
            commands.awaitReady(domain(MeasuredPath.BYPASS, i));
        }
        hops.begin();
    }

    /** Has a domain hold so many queue pairs on a path. */
    void hold(MeasuredPath path, int index, int queuePairs) throws HvException {
        hold(domain(path, index), path, queuePairs);
    }

    /** Has a domain of that name hold so many. */
    void hold(String domain, MeasuredPath path, int queuePairs) throws HvException {
        commands.give(domain, "hold " + path.dataPath().name() + " " + queuePairs);
        String[] _ = commands.answer(domain);
    }

    /** Waits until a domain of that name takes commands. */
    void awaitReady(String domain) throws HvException {
        commands.awaitReady(domain);
    }

    /** Ends the program of a domain of that name. */
    void end(String domain) throws HvException {
        commands.end(domain);
    }

    /** Messages a second of the first so many domains of a path together, all of which write at the same time. */
    double stream(MeasuredPath path, int domains, int millis) throws HvException {
        for (int i = 0; i < domains; i++) {
            commands.give(domain(path, i), "stream " + path.dataPath().name() + " " + millis);
        }
        double perSecond = 0;
        for (int i = 0; i < domains; i++) {
            String[] words = commands.answer(domain(path, i));
            perSecond += Long.parseLong(words[1]) * 1e9 / Long.parseLong(words[2]);
        }
        return perSecond;
    }

    /** Cores that other work has used since it was asked before. */
    double otherCores() {
        return otherWork.cores();
    }

    /** The hop state since it was asked before. */
    HopState hop() throws InterruptedException {
        return hops.state();
    }

    /** Ends the programs of that many domains on each path. */
    void end(int count) throws HvException {
        for (int i = 0; i < count; i++) {
            commands.end(domain(MeasuredPath.NATIVE, i));
            commands.end(domain(MeasuredPath.BYPASS, i));
        }
    }
}
