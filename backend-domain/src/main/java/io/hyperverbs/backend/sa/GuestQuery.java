package io.hyperverbs.backend.sa;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A question that is under way. */
final class GuestQuery {
    /** Name or GID that is asked for. */
    final Object key;

    final Asker asker;
    final long transactionId;

    /** Addresses of HCAs that have not answered. */
    final Set<Integer> unanswered;

    @Nullable
    RemoteGuest found;

    /** Whether its asker waits for it. */
    boolean isLooking = true;

    /** How often it was asked. */
    int waits;

    GuestQuery(Object key, Asker asker, long transactionId, List<Integer> addresses) {
        this.key = key;
        this.asker = asker;
        this.transactionId = transactionId;
        this.unanswered = new HashSet<>(addresses);
    }
}
