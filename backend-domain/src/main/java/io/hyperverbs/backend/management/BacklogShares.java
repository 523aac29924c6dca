package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares a full backlog among the domains and other HCAs that call: it is anybody's while there is room, and when
 * there is none, who has most calls in it loses the newest one to who has at least two fewer. So
 * calls that nobody answers take no more than their share from others ("longest queue drop": Suter,
 * Lakshman, Stiliadis, Choudhury, 1999). Stateless.
 */
final class BacklogShares {
    private BacklogShares() {}

    /**
     * The call that gives way to one more of {@code caller}; null if {@code caller} has its share.
     * Of whom has most calls, the newest that its callee has not read, or else the newest.
     */
    static @Nullable Connection callToReject(Listener listener, CmParty caller) {
        Map<Object, Integer> waiting = new HashMap<>();
        Object most = caller.origin();
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called && isWaiting(called, listener)) {
                int calls = waiting.merge(called.destination.origin(), 1, Integer::sum);
                if (calls > waiting.getOrDefault(most, 0)) {
                    most = called.destination.origin();
                }
            }
        }
        if (waiting.getOrDefault(most, 0) < waiting.getOrDefault(caller.origin(), 0) + 2) {
            return null;
        }
        Connection newest = null;
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called
                    && isWaiting(called, listener)
                    && called.destination.origin().equals(most)
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
