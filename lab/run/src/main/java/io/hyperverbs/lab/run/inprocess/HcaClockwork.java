package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.event.EventTarget;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.lab.walk.agent.Clockwork;
import java.time.Duration;

/**
 * Turns the engine on the agent's thread, relays its events, and lets time pass: little at first,
 * more while the engine finds nothing to do.
 */
final class HcaClockwork implements Clockwork {
    private static final long SHORTEST_NANOS = 20_000;
    private static final int MOST_DOUBLINGS = 9;

    private final Hca hca;
    private final EventRoutes routes;
    private final HcaEvent event = new HcaEvent();
    private long nowNanos = 1;
    private int idle;

    HcaClockwork(Hca hca, EventRoutes routes) {
        this.hca = hca;
        this.routes = routes;
    }

    long nowNanos() {
        return nowNanos;
    }

    @Override
    public void turn() {
        idle = work() + later() > 0 ? 0 : idle + 1;
        relay();
    }

    private int later() {
        nowNanos += SHORTEST_NANOS << Math.min(idle, MOST_DOUBLINGS);
        return work();
    }

    private int work() {
        int all = 0;
        for (int done = hca.engine().doWork(nowNanos); done > 0; ) {
            all += done;
            done = hca.engine().doWork(nowNanos);
        }
        return all;
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
