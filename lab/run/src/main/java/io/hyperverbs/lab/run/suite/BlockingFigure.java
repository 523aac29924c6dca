package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Latency of programs that sleep until the completion event. */
final class BlockingFigure implements Figure {
    private static final List<Integer> QUICK_SIZES = List.of(8, 65536);
    private static final List<Integer> SIZES = List.of(8, 64, 1024, 4096, 16384, 65536);
    private static final int MESSAGES = 2_000;

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "blocking",
                "Blocking verbs by size",
                "Liu 2006 §6.3, Figure 14",
                "bytes",
                "μs",
                MeasuredPath.NATIVE.word(),
                "Half a round trip of a send; both programs sleep until the event of the receive. On bypass the HCA"
                    + " posts the event into the guest's memory, on the forwarded path the device domain brings it.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        String what = BenchVerb.SEND.word();
        List<PerfRounds.Load> loads = rig.terms().pick(QUICK_SIZES, SIZES).stream()
                .map(size -> new PerfRounds.Load(new FigureCell(what, size), BenchVerb.SEND, size, 1, 1, MESSAGES))
                .toList();
        return PerfRounds.blocking(loads).run(rig);
    }
}
