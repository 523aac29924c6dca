package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Streams of writes by several domains or on several queue pairs, round after round, in each all paths in turn. */
final class StreamRounds {
    private static final int WARM_UP_MILLIS = 400;
    private static final double MILLION = 1e6;

    /**
     * A cell.
     *
     * @param domains that write at the same time
     * @param queuePairs of each of them
     */
    record Load(FigureCell cell, int domains, int queuePairs) {}

    private StreamRounds() {}

    /** Millions of messages a second of all domains together. */
    static List<FigureRound> run(SuiteRig rig, List<Load> loads) throws HvException, InterruptedException, IOException {
        int domains = loads.stream().mapToInt(Load::domains).max().orElseThrow();
        int queuePairs = loads.stream().mapToInt(Load::queuePairs).max().orElseThrow();
        int millis = rig.terms().pick(100, 300);
        return rig.on(QueueSets.topology(rig.machineName(), domains, queuePairs), (machine, progress) -> {
            QueueSets sets = new QueueSets(machine.client());
            sets.awaitReady(domains);
            progress.begin("measuring", (long) rig.terms().rounds() * loads.size());
            for (MeasuredPath path : SuitePaths.ALL) {
                hold(sets, path, loads.getFirst());
                double _ = sets.stream(path, loads.getFirst().domains(), WARM_UP_MILLIS);
                hold(sets, path, new Load(loads.getFirst().cell(), domains, 0));
            }
            List<FigureRound> rounds = new ArrayList<>();
            for (int round = 0; round < rig.terms().rounds(); round++) {
                for (Load load : loads) {
                    rounds.add(round(sets, load, round, millis));
                    progress.step(load.cell().what() + " " + load.cell().x());
                }
            }
            sets.end(domains);
            return rounds;
        });
    }

    private static FigureRound round(QueueSets sets, Load load, int round, int millis)
            throws HvException, InterruptedException {
        List<MeasuredPath> order = RoundOrder.of(SuitePaths.ALL, round);
        Map<String, Double> values = new LinkedHashMap<>();
        double _ = sets.otherCores();
        for (MeasuredPath path : order) {
            hold(sets, path, load);
            values.put(path.word(), sets.stream(path, load.domains(), millis) / MILLION);
            hold(sets, path, new Load(load.cell(), load.domains(), 0));
        }
        double others = sets.otherCores();
        return FigureRound.of(load.cell(), round, sets.hop(), others, values);
    }

    private static void hold(QueueSets sets, MeasuredPath path, Load load) throws HvException {
        for (int i = 0; i < load.domains(); i++) {
            sets.hold(path, i, load.queuePairs());
        }
    }
}
