package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.MeasurePoint;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.envelope.Promise;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** Attacks on processor time: threads that compute, and the way to the engine's core. */
public final class ComputeAttacks {
    private static final int MOST_CORES = 1024;
    private static final int ROUNDS = 5;

    private ComputeAttacks() {}

    /** All of row M1. */
    public static List<IsolationCase> cases() {
        return List.of(
                processor("compute", 16),
                processor("compute-hundreds", 600),
                new IsolationCase(
                                "envelope.engine-core",
                                "M1",
                                "sets the affinity of threads to each core in turn, to find the" + " engine's",
                                "sched_setaffinity undoes a placement",
                                "HCA",
                                "one core fewer than the computer has can be had",
                                ComputeAttacks::engineCore)
                        .where(Promise.ENGINE_CORE));
    }

    private static IsolationCase processor(String name, int threads) {
        return new IsolationCase(
                        "envelope." + name,
                        "M1",
                        "computes in " + threads + " threads while another creates and writes",
                        "processor time goes by threads where nothing shares it out",
                        "all domains",
                        "the other's verbs succeed, as fast as before",
                        context -> compute(context, threads))
                .where(Promise.PROCESSOR)
                .withMoments(IsolationCase.Timing.MEDIANS);
    }

    private static String compute(AttackContext context, int threads) throws VerbsException, InterruptedException {
        long steps = 0;
        for (int round = 0; round < ROUNDS; round++) {
            context.point(MeasurePoint.CALM);
            Computing computing = Computing.begin(threads, () -> {});
            try {
                context.point(MeasurePoint.BESIDE);
            } finally {
                computing.end();
            }
            steps += computing.awaitSteps();
        }
        context.point(MeasurePoint.OVER);
        return threads + " threads computed, " + steps + " steps in all";
    }

    private static String engineCore(AttackContext context) throws Breach, InterruptedException, IOException {
        BitSet had = new BitSet();
        Thread trying = Thread.ofPlatform().start(() -> {
            for (int core = 0; core < MOST_CORES; core++) {
                if (canRunOn(core)) {
                    had.set(core);
                }
            }
        });
        trying.join();
        had.or(ThreadAffinity.get());
        BitSet online = online();
        // The engine has the last core of those that its machine may use.
        Breach.unless(
                had.cardinality() < online.cardinality(), "may run on all cores " + had + ", the engine's among them");
        return "cores " + had + " of " + online;
    }

    private static boolean canRunOn(int core) {
        BitSet one = new BitSet();
        one.set(core);
        try {
            ThreadAffinity.set(one);
            return true;
        } catch (PosixException refused) {
            return false;
        }
    }

    /** Cores of the computer, such as {@code cpu0}, as all may read them. */
    private static BitSet online() throws IOException {
        BitSet cores = new BitSet();
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            lines.filter(line -> line.matches("cpu[0-9]+ .*"))
                    .forEach(line -> cores.set(Integer.parseInt(line.substring(3, line.indexOf(' ')))));
        }
        return cores;
    }
}
