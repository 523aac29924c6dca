package io.hyperverbs.backend.event;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Maps a UAR number to the session that takes its events. Any thread. */
public final class EventRoutes {
    private final Map<Integer, EventTarget> targets = new ConcurrentHashMap<>();

    public void add(int uar, EventTarget target) {
        targets.put(uar, target);
    }

    public void remove(int uar) {
        targets.remove(uar);
    }

    /** Null for a UAR that was closed meanwhile. */
    public @Nullable EventTarget find(int uar) {
        return targets.get(uar);
    }
}
