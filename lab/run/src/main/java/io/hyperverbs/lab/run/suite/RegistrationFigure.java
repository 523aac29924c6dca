package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.calls.CallBench;
import io.hyperverbs.lab.run.calls.CallPlan;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;

/** Memory registration by size. */
final class RegistrationFigure implements Figure {
    private static final List<Integer> QUICK_SIZES = List.of(4 << 10, 1 << 20);
    private static final List<Integer> SIZES = List.of(4 << 10, 64 << 10, 1 << 20, 16 << 20, CallPlan.MOST_BYTES);

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                "registration",
                "Memory registration by size",
                "Liu 2006 §6.4, Figure 15",
                "bytes",
                "μs",
                MeasuredPath.NATIVE.word(),
                "One reg_mr, which a dereg_mr follows; from the call to its return. A guest's registration is a"
                        + " message to the device domain, whatever its data path is; grpc call is that message without"
                        + " verbs.");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        CallPlan standard = rig.terms().pick(CallPlan.quick(CallBench.REG), CallPlan.full(CallBench.REG));
        CallPlan plan = standard.with(
                List.of(CallSequence.MR),
                rig.terms().pick(QUICK_SIZES, SIZES),
                rig.terms().rounds(),
                standard.terms().iterations());
        return CallRounds.run(rig, plan, 1);
    }
}
