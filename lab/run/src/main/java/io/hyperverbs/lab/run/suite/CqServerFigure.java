package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.echo.EchoProgram;
import io.hyperverbs.lab.run.bench.BenchTopology;
import io.hyperverbs.lab.run.bench.HopWatch;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.OtherWork;
import io.hyperverbs.lab.run.bench.RoundOrder;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many requests a server with one completion queue answers, by the load that is offered to it. */
final class CqServerFigure implements Figure {
    private static final int THOUSAND = 1000;
    private static final List<Integer> QUICK_THOUSANDS = List.of(10, 200);
    private static final List<Integer> THOUSANDS = List.of(5, 10, 20, 50, 100, 200, 500, 1000);
    private static final int WARM_UP_MILLIS = 50;
    private static final int WARM_UP_THOUSANDS = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String WHAT = "echo";

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "cq-server",
                "A server with one completion queue",
                "Riddoch 2001 §4.3, Figure 7",
                "thousand requests/s offered",
                "thousand replies/s",
                MeasuredPath.NATIVE.word(),
                "A client sends requests of 64 bytes at a rate, on random ones of " + EchoProgram.CONNECTIONS
                        + " connections, one at a time on each; the server takes all of them from one completion queue"
                        + " and sends each back. Both poll.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        List<Integer> loads = rig.terms().pick(QUICK_THOUSANDS, THOUSANDS);
        int millis = rig.terms().pick(100, 300);
        return rig.on(topology(rig.machineName()), (machine, progress) -> {
            StoreCommands commands = new StoreCommands(machine.client(), PATIENCE);
            commands.awaitReady(SuitePaths.ALL);
            warmUp(commands, progress);
            OtherWork otherWork = new OtherWork();
            List<FigureRound> rounds = new ArrayList<>();
            progress.begin("measuring", (long) rig.terms().rounds() * loads.size());
            HopWatch hops = new HopWatch();
            hops.begin();
            for (int round = 0; round < rig.terms().rounds(); round++) {
                for (int load : loads) {
                    double _ = otherWork.cores();
                    Map<String, Double> values = round(commands, round, load, millis);
                    double others = otherWork.cores();
                    rounds.add(FigureRound.of(new FigureCell(WHAT, load), round, hops.state(), others, values));
                    progress.step(load + " thousand/s");
                }
            }
            commands.end(SuitePaths.ALL);
            return rounds;
        });
    }

    private static Topology topology(String name) {
        return BenchTopology.of(SuitePaths.ALL, name, (peer, paths) -> {
            List<String> args = new ArrayList<>(List.of(peer));
            paths.forEach(path -> args.add(path.name()));
            return new Guest.App(EchoProgram.class.getName(), args);
        });
    }

    private static void warmUp(StoreCommands commands, Progress progress) throws HvException, InterruptedException {
        progress.begin("warming up", SuitePaths.ALL.size());
        for (MeasuredPath path : SuitePaths.ALL) {
            WarmUp.run(WarmUp.Work.NEW, () -> {
                double perSecond = THOUSAND * call(commands, path, WARM_UP_THOUSANDS, WARM_UP_MILLIS);
                return new long[] {Math.round(1e9 / Math.max(1, perSecond))};
            });
            progress.step(path.word());
        }
    }

    /** One value of each path, which take turns to begin. */
    private static Map<String, Double> round(StoreCommands commands, int round, int load, int millis)
            throws HvException {
        List<MeasuredPath> order = RoundOrder.of(SuitePaths.ALL, round);
        Map<String, Double> values = new LinkedHashMap<>();
        for (MeasuredPath path : order) {
            values.put(path.word(), call(commands, path, load, millis));
        }
        return values;
    }

    /** Thousands of replies a second. */
    private static double call(StoreCommands commands, MeasuredPath path, int load, int millis) throws HvException {
        String dataPath = path.dataPath().name();
        commands.give(path.passive(), "serve " + dataPath);
        commands.give(path.active(), "call " + dataPath + " " + load * THOUSAND + " " + millis);
        String[] words = commands.answer(path.active());
        String[] _ = commands.answer(path.passive());
        return Long.parseLong(words[1]) * 1e9 / Long.parseLong(words[2]) / THOUSAND;
    }
}
