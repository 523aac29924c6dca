package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.UarLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An HCA that reads a doorbell word and then clears it, in two steps: rings between are lost. */
@JCStressTest
@Outcome(
        id = {"0, 1", "1, 0"},
        expect = ACCEPTABLE,
        desc = "taken now or later")
@Outcome(expect = FORBIDDEN, desc = "lost")
@State
public class LostDoorbellPlanted {
    private static final long WORD = 128;

    private final MemorySegment page = Memory.of(UarLayout.SIZE_BYTES);

    @Actor
    public void guest() {
        UarLayout.ring(page, 0, 0);
    }

    @Actor
    public void device(II_Result result) {
        result.r1 = (int) page.get(ValueLayout.JAVA_LONG, WORD);
        page.set(ValueLayout.JAVA_LONG, WORD, 0);
    }

    @Arbiter
    public void later(II_Result result) {
        result.r2 = (int) UarLayout.takeWord(page, 0, 0);
    }
}
