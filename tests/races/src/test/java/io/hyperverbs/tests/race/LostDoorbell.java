package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.UarLayout;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A guest rings slot 0 while the HCA takes what slot 1 has rung. Results: the index that the HCA
 * saw with the doorbell, -1 without; the same later; what was there before is taken once.
 */
@JCStressTest
@Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "rung after the take, seen by the next")
@Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "taken with its index")
@Outcome(expect = FORBIDDEN, desc = "lost, taken twice, or taken without its index")
@State
public class LostDoorbell {
    private final MemorySegment page = Memory.of(UarLayout.SIZE_BYTES);
    private final MemorySegment rings = Memory.of(QueueGeometry.SEND_RING_OFFSET);
    private int other;

    public LostDoorbell() {
        UarLayout.ring(page, 0, 1);
    }

    @Actor
    public void guest() {
        QueueIndexes.sendProducerRelease(rings, 0, 1);
        UarLayout.ring(page, 0, 0);
    }

    @Actor
    public void device(III_Result result) {
        result.r1 = take();
    }

    @Arbiter
    public void later(III_Result result) {
        result.r2 = take();
        result.r3 = other;
    }

    private int take() {
        long bits = 0;
        if (UarLayout.takeSummary(page, 0) != 0) {
            bits = UarLayout.takeWord(page, 0, 0);
        }
        other += (int) (bits >> 1 & 1);
        return (bits & 1) == 0 ? -1 : QueueIndexes.sendProducerAcquire(rings, 0);
    }
}
