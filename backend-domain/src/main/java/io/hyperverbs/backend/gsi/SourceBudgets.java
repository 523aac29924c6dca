package io.hyperverbs.backend.gsi;

import io.hyperverbs.backend.session.TokenBucket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many datagrams of one address are looked at in a time. Who sends more loses them, and nobody else does: HCAs of
 * the topology, and those that connections lead to, have a budget each; all others have one each and one together, as
 * addresses of strangers cost nothing to make up. One thread at a time.
 */
public final class SourceBudgets {
    static final long PER_SECOND = 4000;
    static final long BURST = 1024;
    private static final int MAX_STRANGERS = 256;

    private final Map<Integer, Known> known = new HashMap<>();
    private final TokenBucket strangersTogether = bucket();

    /** Who was silent for longest is forgotten first. */
    private final Map<Integer, TokenBucket> strangers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, TokenBucket> eldest) {
            return size() > MAX_STRANGERS;
        }
    };

    /** An address with a budget of its own, and for how many reasons. */
    private static final class Known {
        final TokenBucket bucket = bucket();
        int reasons;
    }

    /** Another reason for the address to have a budget that strangers cannot take. */
    public void know(int address) {
        known.computeIfAbsent(address, _ -> new Known()).reasons++;
    }

    /** One reason less; without any it is a stranger. */
    public void forget(int address) {
        known.computeIfPresent(address, (_, one) -> --one.reasons == 0 ? null : one);
    }

    /** Whether one more datagram of that address is to be looked at. */
    public boolean take(int address, long nowNanos) {
        Known own = known.get(address);
        if (own != null) {
            return own.bucket.take(nowNanos);
        }
        return strangers.computeIfAbsent(address, _ -> bucket()).take(nowNanos) && strangersTogether.take(nowNanos);
    }

    private static TokenBucket bucket() {
        return TokenBucket.ofBurst(PER_SECOND, BURST);
    }
}
