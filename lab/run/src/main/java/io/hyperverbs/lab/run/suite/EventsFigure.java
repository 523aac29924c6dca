package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Completion events that the HCA posts beside those that the device domain brings. */
final class EventsFigure implements Figure {
    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "events",
                "Completion events, posted and forwarded",
                "Liu 2006 §6.3",
                "",
                "μs",
                MeasuredPath.NATIVE.word(),
                "One program arms its CQ, posts 8 bytes to its own queue pair and sleeps until the event. Forwarded"
                    + " events are the paper's: the device domain brings each to the guest. Posted ones the HCA writes"
                    + " into the guest's memory.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        CallPlan standard = rig.terms().pick(CallPlan.quick(CallBench.EVENTS), CallPlan.full(CallBench.EVENTS));
        CallPlan plan = standard.with(
                standard.sequences(),
                standard.sizesBytes(),
                rig.terms().rounds(),
                standard.terms().iterations());
        return CallRounds.run(rig, plan, 1);
    }
}
