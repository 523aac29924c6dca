package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.micro.HcaScene.Buffer;
import io.hyperverbs.lab.micro.HcaScene.Guest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The engine from a doorbell to completions: one batch posted, carried out and polled, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class EngineBench {
    private static final int LARGEST_BYTES = 64 << 10;

    /** Requests by one doorbell. */
    @Param({"1", "64"})
    public int batch;

    @Param({"64", "4096", "65536"})
    public int bytes;

    /** Connected queue pairs that have no work. */
    @Param({"0", "1000"})
    public int idleQps;

    private final HcaScene scene = new HcaScene();
    private final Guest guest = scene.new Guest(1);
    private final Guest peer = scene.new Guest(2);
    private final SceneQp qp = new SceneQp(scene, guest);
    private final SceneQp peerQp = new SceneQp(scene, peer);
    private final Buffer from = guest.buffer(LARGEST_BYTES);
    private final Buffer to = peer.buffer(LARGEST_BYTES);

    /** For JMH. */
    public EngineBench() {}

    @Setup
    public void connect() {
        SceneQp.connect(qp, peerQp);
        for (int i = 0; i < idleQps / 2; i++) {
            SceneQp.connect(new SceneQp(scene, guest), new SceneQp(scene, peer));
        }
    }

    /** RDMA writes. */
    @Benchmark
    public void write() {
        post(SendWqeLayout.OPCODE_RDMA_WRITE);
        scene.run();
        qp.take(batch);
    }

    /** Sends, with the receives they take. */
    @Benchmark
    public void send() {
        peerQp.receive(to, bytes, batch);
        post(SendWqeLayout.OPCODE_SEND);
        scene.run();
        qp.take(batch);
        peerQp.take(batch);
    }

    private void post(int opcode) {
        for (int i = 0; i < batch; i++) {
            qp.fillSend(i, opcode, from, bytes, to);
        }
        qp.publish(batch);
    }

    /** A turn that finds nothing to do. */
    @Benchmark
    public boolean idleTurn() {
        return scene.turn();
    }
}
