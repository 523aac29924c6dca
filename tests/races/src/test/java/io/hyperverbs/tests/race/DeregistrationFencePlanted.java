package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A backend that ends the key itself, and does not wait for the HCA to be between two pieces. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "nothing lands after the return")
@Outcome(expect = FORBIDDEN, desc = "written after the return")
@State
public class DeregistrationFencePlanted {
    private final FencedRegion region = new FencedRegion();
    private int seen;

    @Actor
    public void hca() {
        region.serve();
    }

    @Actor
    public void backend(II_Result result) {
        region.end();
        result.r1 = 1;
        seen = region.written();
        region.release();
    }

    @Arbiter
    public void later(II_Result result) {
        result.r2 = region.written() - seen;
    }
}
