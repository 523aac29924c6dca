package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The guest's ends of the rings, without an engine. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RingBench {
    private static final int ENTRIES = 256;

    private final QueueGeometry geometry = QueueGeometry.of(QpLimits.of(SceneQp.DEPTH, SceneQp.DEPTH));
    private final MemorySegment memory =
            Arena.ofAuto().allocate(geometry.totalBytes() + CqHeaderLayout.totalBytes(ENTRIES), HcaScene.PAGE_BYTES);
    private final SendRing sends = new SendRing(memory, 0, geometry);
    private final CompletionRing completions = new CompletionRing(memory, geometry.totalBytes(), ENTRIES);
    private int posted;

    /** For JMH. */
    public RingBench() {}

    /** A WQE of one segment, filled and published. */
    @Benchmark
    public void post() {
        long wqe = sends.slot(0);
        SendWqeLayout.writeHead(memory, wqe, posted, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
        SendWqeLayout.writeRemote(memory, wqe, 0, 1);
        SendWqeLayout.writeSegmentCount(memory, wqe, 1);
        SendWqeLayout.writeSegment(memory, wqe, 0, 0, 64, 2);
        sends.publish(1);
        sends.freeUpTo(++posted);
    }

    /** A look at a completion queue that has none. */
    @Benchmark
    public boolean pollEmpty() {
        return completions.hasNext();
    }
}
