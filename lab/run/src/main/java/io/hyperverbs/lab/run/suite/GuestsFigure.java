package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** How the rate of all guests together goes with their number. */
final class GuestsFigure implements Figure {
    private static final List<Integer> QUICK_GUESTS = List.of(1, 4);
    private static final List<Integer> GUESTS = List.of(1, 2, 4, 8);

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "guests",
                "Rate of several guests together",
                "Beyond Liu 2006, which has two guests on a node (§6.6)",
                "guests",
                "million messages/s",
                MeasuredPath.NATIVE.word(),
                "Each guest writes 64 bytes on a queue pair connected to itself, 8 by a doorbell, up to 32 in flight;"
                        + " the sum over all. Each guest polls: with more of them than cores the scheduler is measured"
                        + " too.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return StreamRounds.run(
                rig,
                rig.terms().pick(QUICK_GUESTS, GUESTS).stream()
                        .map(guests -> new StreamRounds.Load(new FigureCell("write", guests), guests, 1))
                        .toList());
    }
}
