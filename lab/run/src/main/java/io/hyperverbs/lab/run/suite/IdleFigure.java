package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.BenchTopology;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.StoreRounds;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What idle queue pairs in idle guests cost an active pair of guests. */
final class IdleFigure implements Figure {
    private static final List<String> IDLE = List.of("i0", "i1", "i2", "i3");
    private static final int QUEUE_PAIRS = 1_000;
    private static final String ALONE = "alone";
    private static final String BESIDE = "beside idle";
    private static final int CHUNK_MILLIS = 20;
    private static final int WARM_UP = 200;

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "idle",
                "Beside a thousand idle queue pairs",
                "Beyond Liu 2006",
                "bytes",
                "μs",
                ALONE,
                "Latency of a pair of guests with bypass, alone and beside four guests that hold " + QUEUE_PAIRS
                        + " connected queue pairs together and do nothing. They are made and destroyed in each round.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        BenchPlan standard = rig.terms().pick(BenchPlan.quick(), BenchPlan.full());
        BenchPlan plan = standard.with(
                List.of(BenchVerb.WRITE, BenchVerb.SEND),
                rig.terms().pick(List.of(64), List.of(64, 4096, 65536)),
                List.of(MeasuredPath.BYPASS),
                rig.terms().rounds(),
                standard.iterations());
        return rig.on(topology(plan, rig.machineName()), (machine, progress) -> {
            StoreRounds store = new StoreRounds(machine.client());
            QueueSets sets = new QueueSets(machine.client());
            store.awaitReady(plan.paths());
            for (String idle : IDLE) {
                sets.awaitReady(idle);
            }
            progress.begin("warming up", plan.cells().size());
            for (Cell cell : plan.cells()) {
                WarmUp.run(WarmUp.Work.NEW, () -> run(store, plan, cell, CHUNK_MILLIS));
                progress.step(cell.verb().word());
            }
            sets.awaitReady(0);
            List<FigureRound> rounds = new ArrayList<>();
            progress.begin("measuring", plan.rounds());
            for (int round = 0; round < plan.rounds(); round++) {
                rounds.addAll(round(store, sets, plan, round));
                progress.step("round");
            }
            store.end(plan.paths());
            for (String idle : IDLE) {
                sets.end(idle);
            }
            return rounds;
        });
    }

    private static Topology topology(BenchPlan plan, String name) {
        Topology pair = BenchTopology.of(plan, name);
        List<Guest> guests = new ArrayList<>(pair.guests());
        IDLE.forEach(idle -> guests.add(QueueSets.guest(idle, QUEUE_PAIRS / IDLE.size())));
        return new Topology(name, HcaSpec.standard(), guests, List.of(), "hv bench suite");
    }

    /** Both states, the idle queue pairs first in every other round. */
    private static List<FigureRound> round(StoreRounds store, QueueSets sets, BenchPlan plan, int round)
            throws HvException, InterruptedException {
        Map<Cell, Map<String, long[]>> measured = new LinkedHashMap<>();
        double others = 0;
        for (boolean beside : new boolean[] {round % 2 == 1, round % 2 == 0}) {
            for (String idle : IDLE) {
                sets.hold(idle, MeasuredPath.BYPASS, beside ? QUEUE_PAIRS / IDLE.size() : 0);
            }
            double _ = sets.otherCores();
            for (Cell cell : plan.cells()) {
                measured.computeIfAbsent(cell, _ -> new LinkedHashMap<>())
                        .put(beside ? BESIDE : ALONE, run(store, plan, cell, plan.roundMillis()));
            }
            others = Math.max(others, sets.otherCores());
        }
        var hop = sets.hop();
        List<FigureRound> rounds = new ArrayList<>();
        for (Map.Entry<Cell, Map<String, long[]>> one : measured.entrySet()) {
            Cell cell = one.getKey();
            rounds.add(FigureRound.ofNanos(
                    new FigureCell(cell.verb().word(), cell.sizeBytes()), round, hop, others, one.getValue(), (int)
                            cell.divisor()));
        }
        return rounds;
    }

    private static long[] run(StoreRounds store, BenchPlan plan, Cell cell, int millis) throws HvException {
        return store.run(MeasuredPath.BYPASS, cell, plan.iterations(), WARM_UP, millis);
    }
}
