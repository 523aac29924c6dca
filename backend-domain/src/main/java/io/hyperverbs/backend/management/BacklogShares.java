package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares a full backlog among the domains that call: it is anybody's while there is room, and when
 * there is none, who has most calls in it loses the newest one to who has at least two fewer. So
 * calls that nobody answers take no more than their share from others ("longest queue drop": Suter,
 * Lakshman, Stiliadis, Choudhury, 1999). Stateless.
 */
final class BacklogShares {
    private BacklogShares() {}

    /**
     * The call that gives way to one more of {@code caller}; null if {@code caller} has its share.
     * Of the domain with most calls, the newest that its callee has not read, or else the newest.
     */
    static @Nullable Connection callToReject(Listener listener, CmSession caller) {
        Map<CmSession, Integer> waiting = new HashMap<>();
        CmSession most = caller;
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called && isWaiting(called, listener)) {
                int calls = waiting.merge(called.destination, 1, Integer::sum);
                if (calls > waiting.getOrDefault(most, 0)) {
                    most = called.destination;
                }
            }
        }
        if (waiting.getOrDefault(most, 0) < waiting.getOrDefault(caller, 0) + 2) {
            return null;
        }
        Connection newest = null;
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called
                    && isWaiting(called, listener)
                    && called.destination.equals(most)
                    && (newest == null || CmEvents.has(called) || !CmEvents.has(newest))) {
                newest = called;
            }
        }
        return newest;
    }

    private static boolean isWaiting(Connection called, Listener listener) {
        return listener.equals(called.listener);
    }
}
