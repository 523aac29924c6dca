package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** The check of a key, among many regions. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TptBench {
    private static final int PD = 5;
    private static final int WINDOWS = 1;
    private static final long REGION_BYTES = 4096;

    @Param({"1", "4096"})
    public int regions;

    private final CompletionError error = new CompletionError();
    private Tpt tpt = tpt(1);
    private Region[] created = new Region[0];
    private int turn;

    /** For JMH. */
    public TptBench() {}

    private static Tpt tpt(int regions) {
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.MW, WINDOWS));
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), HcaScene.PAGE_BYTES);
        ContextMemoryLayout.format(memory, 0, counts);
        return new Tpt(new ContextMemory(memory, 0), regions, WINDOWS, new SplittableRandom(1));
    }

    @Setup
    public void register() {
        tpt = tpt(regions);
        created = new Region[regions];
        for (int i = 0; i < regions; i++) {
            Region region = tpt.create(new RegionPlan(
                    PD,
                    i * REGION_BYTES,
                    REGION_BYTES,
                    Access.LOCAL_WRITE.bit() | Access.REMOTE_WRITE.bit(),
                    new long[] {0, REGION_BYTES},
                    new long[] {i * REGION_BYTES}));
            if (region == null) {
                throw new IllegalStateException("no room for region " + i);
            }
            created[i] = region;
        }
    }

    /** A remote write of 64 bytes into one region after the other. */
    @Benchmark
    public @Nullable Region remote() {
        Region region = created[turn++ % created.length];
        return tpt.remote(PD, 1, region.rkey(), region.virtualAddress(), 64, Access.REMOTE_WRITE.bit(), error);
    }

    /** A key that is nobody's. */
    @Benchmark
    public @Nullable Region foreign() {
        return tpt.remote(PD, 1, turn++ << 8, 0, 64, Access.REMOTE_WRITE.bit(), error);
    }
}
