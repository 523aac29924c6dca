package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.lab.walk.agent.Clockwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the engines on the program's thread, relays their events, and lets time pass: little at first,
 * more while nothing is to do. One thread at a time; the time from any.
 */
final class HcaClockwork implements Clockwork {
    private static final long SHORTEST_NANOS = 20_000;
    private static final int MOST_DOUBLINGS = 9;

    private final List<InProcessHca> hcas = new ArrayList<>();
    private volatile long nowNanos = 1;
    private int idle;

    /** One more HCA that it turns. */
    void drive(InProcessHca hca) {
        hcas.add(hca);
    }

    long nowNanos() {
        return nowNanos;
    }

    @Override
    public void turn() {
        int done = work();
        long laterNanos = nowNanos + (SHORTEST_NANOS << Math.min(idle, MOST_DOUBLINGS));
        nowNanos = laterNanos;
        done += work();
        idle = done > 0 ? 0 : idle + 1;
    }

    /** Does what is to be done now; how much that was. */
    int work() {
        int all = 0;
        for (int done = workOnce(); done > 0; ) {
            all += done;
            done = workOnce();
        }
        hcas.forEach(InProcessHca::relay);
        return all;
    }

    private int workOnce() {
        int done = 0;
        for (InProcessHca hca : hcas) {
            done += hca.work(nowNanos);
        }
        return done;
    }

    @Override
    public Duration eventWait() {
        return Duration.ZERO;
    }
}
