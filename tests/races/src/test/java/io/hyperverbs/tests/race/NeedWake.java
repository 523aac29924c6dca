package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.hca.layout.UarLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The HCA arms itself and looks once more before it sleeps; a guest rings and looks whether the HCA
 * is armed. First result: the guest wakes; second: the HCA sees the doorbell. One of them must.
 */
@JCStressTest
@Outcome(
        id = {"1, 0", "0, 1", "1, 1"},
        expect = ACCEPTABLE,
        desc = "seen, or woken")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the HCA sleeps on a doorbell")
@State
public class NeedWake {
    private final MemorySegment page = Memory.of(UarLayout.SIZE_BYTES);
    private final MemorySegment status = Memory.of(StatusPageLayout.SIZE_BYTES);
    private int woken;
    private final Doorbell doorbell = new Doorbell(page, 0, status, 0, () -> woken = 1);

    @Actor
    public void guest(II_Result result) {
        doorbell.ring(0);
        result.r1 = woken;
    }

    /** As EngineRunner does it. */
    @Actor
    public void device(II_Result result) {
        StatusPageLayout.armVolatile(status, 0, 1);
        VarHandle.fullFence();
        result.r2 = UarLayout.summaryAcquire(page, 0) != 0 ? 1 : 0;
    }
}
