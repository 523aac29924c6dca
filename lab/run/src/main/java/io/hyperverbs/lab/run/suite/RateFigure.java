package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Message rate by batch: how many sends one doorbell brings. */
final class RateFigure implements Figure {
    private static final List<Integer> QUICK_BATCHES = List.of(1, 16, 64);
    private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16, 32, 64);
    private static final int SIZE_BYTES = 64;
    private static final int MESSAGES = 100_000;
    private static final double MILLION = 1e6;

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "rate",
                "Message rate by batch",
                "Beyond Liu 2006, which describes the doorbells (§4.3)",
                "sends per doorbell",
                "million messages/s",
                MeasuredPath.NATIVE.word(),
                "Writes of 64 bytes on one queue pair, up to 128 in flight, so many of them posted by each doorbell;"
                        + " with more than one, the last of a batch is signalled.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        String what = BenchVerb.WRITE.word();
        List<PerfRounds.Load> loads = rig.terms().pick(QUICK_BATCHES, BATCHES).stream()
                .map(batch -> new PerfRounds.Load(
                        new FigureCell(what, batch), BenchVerb.WRITE, SIZE_BYTES, 1, batch, MESSAGES))
                .toList();
        return PerfRounds.streams(loads, row -> row.perSecond() / MILLION).run(rig);
    }
}
