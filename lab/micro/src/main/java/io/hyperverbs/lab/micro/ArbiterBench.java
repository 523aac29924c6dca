package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
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

/** Who is next: a turn of one of several domains that always have work. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ArbiterBench {
    private static final int MOST_DOMAINS = 64;

    @Param({"1", "2", "8", "64"})
    public int domains;

    private final QpArbiter arbiter = new QpArbiter(MOST_DOMAINS);
    private final DomainShare[] shares = new DomainShare[MOST_DOMAINS];
    private long nowNanos;

    /** For JMH. */
    public ArbiterBench() {}

    @Setup
    public void fill() {
        for (int i = 0; i < domains; i++) {
            shares[i] = new DomainShare(i + 1);
            arbiter.add(shares[i], i);
        }
    }

    @Benchmark
    public int turn() {
        int qp = arbiter.take(nowNanos);
        arbiter.add(shares[qp], qp);
        arbiter.charge(EngineCost.REQUEST, 64, 1);
        nowNanos += EngineCost.REQUEST;
        return qp;
    }
}
