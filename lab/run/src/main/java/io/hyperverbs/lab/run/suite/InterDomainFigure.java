package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** What a message between a guest and the device domain costs. */
final class InterDomainFigure implements Figure {
    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "inter-domain",
                "Message between domains",
                "Liu 2006 §6.3, Figure 13",
                "",
                "μs",
                MeasuredPath.NATIVE.word(),
                "Xen-IB's domains speak by event channel and shared page; ours by gRPC over a Unix socket. Half of the"
                        + " round trip of the smallest privileged verb, alloc_pd: natively a method call, from a guest"
                        + " (bypass) a message and its reply; grpc call is a bare call with a registration's bytes.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        CallPlan standard = rig.terms().pick(CallPlan.quick(CallBench.REG), CallPlan.full(CallBench.REG));
        CallPlan plan = standard.with(
                List.of(CallSequence.PD),
                standard.sizesBytes(),
                rig.terms().rounds(),
                standard.terms().iterations());
        return CallRounds.run(rig, plan, 2);
    }
}
