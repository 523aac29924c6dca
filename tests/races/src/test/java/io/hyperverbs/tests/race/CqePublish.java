package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The HCA writes a completion, its sequence last; a guest that sees the sequence sees all of it.
 * First result: the sequence; second: how many of three fields are there.
 */
@JCStressTest
@Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "not published yet")
@Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "published, whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was whole")
@State
public class CqePublish {
    private static final long CQE = CqHeaderLayout.SIZE_BYTES;

    private final MemorySegment memory = Memory.of(CqHeaderLayout.totalBytes(1));

    @Actor
    public void device() {
        CqeLayout.write(memory, CQE, 7, 0, 1, 7, 7, 0, 7, 7);
        CqeLayout.publishRelease(memory, CQE, 1);
    }

    @Actor
    public void guest(II_Result result) {
        result.r1 = CqeLayout.sequenceAcquire(memory, CQE);
        result.r2 = -1;
        if (result.r1 == 1) {
            result.r2 = (CqeLayout.wrId(memory, CQE) == 7 ? 1 : 0)
                    + (CqeLayout.byteCount(memory, CQE) == 7 ? 1 : 0)
                    + (CqeLayout.sqHead(memory, CQE) == 7 ? 1 : 0);
        }
    }
}
