package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A region is deregistered while the HCA writes into it, piece by piece. Once deregistering has
 * returned no byte lands. First result: whether the HCA had taken the command; second: pieces that
 * landed after the return.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "nothing lands after the return")
@Outcome(expect = FORBIDDEN, desc = "written after the return")
@State
public class DeregistrationFence {
    private final FencedRegion region = new FencedRegion();
    private int seen;

    @Actor
    public void hca() {
        region.serve();
    }

    @Actor
    public void backend(II_Result result) {
        result.r1 = region.deregister() ? 1 : 0;
        seen = region.written();
        region.release();
    }

    @Arbiter
    public void later(II_Result result) {
        result.r2 = region.written() - seen;
    }
}
