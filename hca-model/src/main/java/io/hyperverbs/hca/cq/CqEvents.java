package io.hyperverbs.hca.cq;

import io.hyperverbs.hca.event.EventRaiser;

/** Events of armed completion queues: at once, or when a period of moderation ends. Engine thread only. */
public final class CqEvents {
    private final EventRaiser events;
    private final ModerationTimers moderation;

    public CqEvents(EventRaiser events, ModerationTimers moderation) {
        this.events = events;
        this.moderation = moderation;
    }

    /** Signals the pending event of a queue, if one is, now or after its period. */
    public void signal(Cq cq, Cq.Written pending) {
        switch (pending) {
            case EVENT -> events.raiseCompletion(cq.events(), cq.slot());
            case MODERATED -> moderation.start(cq);
            case DONE, OVERRUN, BROKEN -> {}
        }
    }

    /** Raises the events whose periods have ended; a turn of the engine begins. @return how many periods ended */
    public int endPeriods(long nowNanos) {
        int due = moderation.advance(nowNanos);
        for (int i = 0; i < due; i++) {
            Cq cq = moderation.due(i);
            if (cq != null) {
                events.raiseCompletion(cq.events(), cq.slot());
            }
        }
        return due;
    }
}
