package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** How a guest's rate goes with the number of its queue pairs. */
final class QueuePairsFigure implements Figure {
    private static final List<Integer> QUICK_QUEUE_PAIRS = List.of(1, 64);
    private static final List<Integer> QUEUE_PAIRS = List.of(1, 8, 64, 256, 1024);

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "qps",
                "Rate by number of queue pairs",
                "Beyond Liu 2006",
                "queue pairs",
                "million messages/s",
                MeasuredPath.NATIVE.word(),
                "One program writes 64 bytes on so many queue pairs in turn, each connected to itself, 8 by a"
                        + " doorbell; up to 32 in flight on one, and 128 on all.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return StreamRounds.run(
                rig,
                rig.terms().pick(QUICK_QUEUE_PAIRS, QUEUE_PAIRS).stream()
                        .map(queues -> new StreamRounds.Load(new FigureCell("write", queues), 1, queues))
                        .toList());
    }
}
