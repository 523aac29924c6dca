package io.hyperverbs.tests.race;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A guest fills an entry of 64 bytes and publishes the producer index; the HCA that sees the index
 * sees the entry whole. First result: the index; second: how many of the entry's parts are there.
 */
@JCStressTest
@Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "not published yet")
@Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "published, whole")
@Outcome(expect = FORBIDDEN, desc = "published before it was whole")
@State
public class WqePublish {
    private static final QueueGeometry ONE = QueueGeometry.of(1, 0, 1, 1, 0);

    private final MemorySegment memory = Memory.of(ONE.totalBytes());
    private final MemorySegment copy = Memory.of(ONE.sendStrideBytes());

    @Actor
    public void guest() {
        SendRing ring = new SendRing(memory, 0, ONE);
        long wqe = ring.slot(0);
        SendWqeLayout.writeHead(memory, wqe, 7, SendWqeLayout.OPCODE_RDMA_WRITE, 0);
        SendWqeLayout.writeRemote(memory, wqe, 7, 7);
        SendWqeLayout.writeSegment(memory, wqe, 0, 7, 7, 7);
        ring.publish(1);
    }

    @Actor
    public void device(II_Result result) {
        result.r1 = QueueIndexes.sendProducerAcquire(memory, 0);
        result.r2 = -1;
        if (result.r1 == 1) {
            MemorySegment.copy(memory, ONE.sendSlot(0), copy, 0, ONE.sendStrideBytes());
            result.r2 = (SendWqeLayout.wrId(copy, 0) == 7 ? 1 : 0)
                    + (SendWqeLayout.remoteAddress(copy, 0) == 7 ? 1 : 0)
                    + (SendWqeLayout.segmentLkey(copy, 0, 0) == 7 ? 1 : 0);
        }
    }
}
