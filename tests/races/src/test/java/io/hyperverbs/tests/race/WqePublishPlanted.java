package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A guest that publishes the index before the entry. A plain store in the right order would be as
 * wrong, but x86 keeps stores in order, so that one shows only where the compiler moves them.
 */
@JCStressTest
@Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "not published yet")
@Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "published, whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was whole")
@State
public class WqePublishPlanted {
    private static final QueueGeometry ONE = QueueGeometry.of(1, 0, 1, 1, 0);

    private final MemorySegment memory = Memory.of(ONE.totalBytes());

    @Actor
    public void guest() {
        QueueIndexes.sendProducerRelease(memory, 0, 1);
        SendWqeLayout.writeHead(memory, ONE.sendSlot(0), 7, SendWqeLayout.OPCODE_RDMA_WRITE, 0);
    }

    @Actor
    public void device(II_Result result) {
        result.r1 = QueueIndexes.sendProducerAcquire(memory, 0);
        result.r2 = result.r1 == 1 ? (int) SendWqeLayout.wrId(memory, ONE.sendSlot(0)) : -1;
    }
}
