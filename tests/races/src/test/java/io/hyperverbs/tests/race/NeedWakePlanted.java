package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The same with release and acquire alone: each side's load may pass its own store, on x86 too. */
@JCStressTest
@Outcome(
        id = {"1, 0", "0, 1", "1, 1"},
        expect = ACCEPTABLE,
        desc = "seen, or woken")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "the HCA sleeps on a doorbell")
@State
public class NeedWakePlanted {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private static final long BELL = 0;
    private static final long ARMED = 192;

    private final MemorySegment memory = Memory.of(256);

    @Actor
    public void guest(II_Result result) {
        INT.setRelease(memory, BELL, 1);
        result.r1 = (int) INT.getAcquire(memory, ARMED);
    }

    @Actor
    public void hca(II_Result result) {
        INT.setRelease(memory, ARMED, 1);
        result.r2 = (int) INT.getAcquire(memory, BELL);
    }
}
