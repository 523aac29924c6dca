package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.event.EventTarget;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.lab.walk.agent.Clockwork;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns the engine on the program's thread, relays its events, and lets time pass: little at first,
 * more while nothing is to do. One thread at a time; the time from any.
 */
final class HcaClockwork implements Clockwork {
    private static final long SHORTEST_NANOS = 20_000;
    private static final int MOST_DOUBLINGS = 9;

    private final Hca hca;
    private final EventRoutes routes;
    private final HcaEvent event = new HcaEvent();
    private @Nullable Management management;
    private volatile long nowNanos = 1;
    private int idle;

    HcaClockwork(Hca hca, EventRoutes routes) {
        this.hca = hca;
        this.routes = routes;
    }

    /** Ends what waits for too long in the connection manager, too. */
    void drive(Management driven) {
        management = driven;
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
        relay();
        return all;
    }

    private int workOnce() {
        int done = hca.engine().doWork(nowNanos);
        return management == null ? done : done + management.doWork(nowNanos);
    }

    private void relay() {
        while (hca.poll(event)) {
            EventTarget target = routes.find(event.uar());
            if (target != null) {
                switch (event.kind()) {
                    case COMPLETION -> target.completion(event.number());
                    case ASYNC -> target.async(event.asyncCode(), event.number());
                }
            }
        }
    }

    @Override
    public Duration eventWait() {
        return Duration.ZERO;
    }
}
