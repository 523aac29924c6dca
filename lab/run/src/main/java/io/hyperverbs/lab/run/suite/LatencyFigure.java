package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.BenchTopology;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.lab.run.bench.StoreRounds;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Latency by size, as {@code hv bench} measures it. */
final class LatencyFigure implements Figure {
    private static final List<Integer> QUICK_SIZES = List.of(8, 64, 4096, 65536);
    private static final List<Integer> SIZES = List.of(8, 64, 512, 4096, 32768, 262_144, 1 << 20);

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "latency",
                "Latency by size",
                "Liu 2006 §6.2, Figures 9 and 10",
                "bytes",
                "μs",
                MeasuredPath.NATIVE.word(),
                "One operation in flight, programs poll. Write, read and fetch-add from post to completion, send half"
                        + " of a round trip; payload is not touched.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        BenchPlan standard = rig.terms().pick(BenchPlan.quick(), BenchPlan.full());
        BenchPlan plan = standard.with(
                List.of(BenchVerb.values()),
                rig.terms().pick(QUICK_SIZES, SIZES),
                SuitePaths.ALL,
                rig.terms().rounds(),
                standard.iterations());
        List<RoundGroup> groups = rig.on(BenchTopology.of(plan, rig.machineName()), (machine, progress) -> {
            StoreRounds store = new StoreRounds(machine.client());
            store.awaitReady(plan.machinePaths());
            List<RoundGroup> measured =
                    new BenchRun(plan, store, HopProbe::measureNanos, new OtherWork()::cores, progress).run();
            store.end(plan.machinePaths());
            return measured;
        });
        return groups.stream().map(LatencyFigure::round).toList();
    }

    private static FigureRound round(RoundGroup group) {
        Map<String, long[]> nanos = new LinkedHashMap<>();
        SuitePaths.ALL.forEach(path -> nanos.put(path.word(), group.nanos().getOrDefault(path, new long[0])));
        return FigureRound.ofNanos(
                new FigureCell(group.cell().verb().word(), group.cell().sizeBytes()),
                group.round(),
                group.hop(),
                group.otherCores(),
                nanos,
                (int) group.cell().divisor());
    }
}
