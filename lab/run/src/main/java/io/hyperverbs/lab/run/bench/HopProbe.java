package io.hyperverbs.lab.run.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Measures a cache-line hop between two cores: two threads pass a number to and fro by spinning.
 * Any thread; uses two cores for as long as it runs.
 */
public final class HopProbe {
    private static final VarHandle AT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Element of the array with a cache line to itself on either side. */
    private static final int SLOT = 16;

    private static final int BATCH = 100;
    private static final int MAX_BATCHES = 8192;

    /**
     * Other work on this computer keeps one thread waiting at times; that says nothing of where the
     * cores are. A tenth of the batches is enough to see it.
     */
    private static final int RANK_DIVISOR = 10;

    private static final int CLOCK_EVERY = 1 << 14;

    /** Far longer than any hop: the other thread does not run, perhaps for want of this core. */
    private static final int YIELD_EVERY = 1 << 11;

    /** While other work keeps both threads on one core, nothing has been measured. */
    private static final int ATTEMPTS = 4;

    private static final long STOP = -1;

    private final long[] line = new long[2 * SLOT];
    private final long endNanos;

    private HopProbe(long endNanos) {
        this.endNanos = endNanos;
    }

    /**
     * Measures for {@code millis}; up to four times as long if there is no core for one of the
     * threads.
     *
     * @return nanoseconds of one hop, the lower decile over batches
     */
    public static double measureNanos(int millis) throws InterruptedException {
        double nanos = measureOnce(millis);
        for (int i = 1; i < ATTEMPTS && HopState.of(nanos) == HopState.SHARED; i++) {
            nanos = measureOnce(millis);
        }
        return nanos;
    }

    private static double measureOnce(int millis) throws InterruptedException {
        HopProbe probe = new HopProbe(System.nanoTime() + millis * 1_000_000L);
        Thread answering = new Thread(probe::answer, "hop");
        answering.setDaemon(true);
        answering.start();
        double nanos = probe.ask();
        AT.setRelease(probe.line, SLOT, STOP);
        answering.join();
        return nanos;
    }

    /** Odd numbers are questions, the even number after each is its answer. */
    private double ask() {
        double[] batches = new double[MAX_BATCHES];
        int count = 0;
        long number = 1;
        while (count < MAX_BATCHES) {
            long beginNanos = System.nanoTime();
            int done = 0;
            while (done < BATCH && passOn(number)) {
                number += 2;
                done++;
            }
            long nowNanos = System.nanoTime();
            if (done == BATCH) {
                batches[count++] = (nowNanos - beginNanos) / (2.0 * BATCH);
            }
            if (nowNanos - endNanos >= 0) {
                // So slow that no batch was finished: what there is says it.
                if (count == 0) {
                    batches[count++] = (nowNanos - beginNanos) / (2.0 * Math.max(1, done));
                }
                break;
            }
        }
        Arrays.sort(batches, 0, count);
        return batches[count / RANK_DIVISOR];
    }

    private boolean passOn(long number) {
        AT.setRelease(line, SLOT, number);
        return await(number + 1);
    }

    private void answer() {
        for (long number = 1; await(number); number += 2) {
            AT.setRelease(line, SLOT, number + 1);
        }
    }

    private boolean await(long number) {
        int looks = 0;
        while (true) {
            long found = (long) AT.getAcquire(line, SLOT);
            if (found == number) {
                return true;
            }
            if (found == STOP) {
                return false;
            }
            if (++looks % YIELD_EVERY == 0) {
                Thread.yield();
            }
            if (looks == CLOCK_EVERY) {
                looks = 0;
                if (System.nanoTime() - endNanos >= 0) {
                    return false;
                }
            }
        }
    }
}
