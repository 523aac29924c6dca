package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.gsi.SourceBudgets;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The ends of connections to other HCAs, by what either side calls them, and when each has to be looked at again. Those
 * with a user are as many as quotas allow; of those without there is a bounded number, and for one address a share of
 * it. Under the lock of its connection manager.
 */
final class RemoteEnds {
    static final int MAX_RETIRED = 1024;
    static final int MAX_RETIRED_OF_ADDRESS = 128;

    private final RandomGenerator random;
    private final SourceBudgets budgets;
    private final Map<Integer, RemoteEnd> byLocalId = new HashMap<>();
    private final Map<Long, RemoteEnd> byCaller = new HashMap<>();
    private final Map<Integer, Integer> retiredByAddress = new HashMap<>();
    private final Deadlines<RemoteEnd> deadlines = new Deadlines<>();
    private int retired;

    /** {@code random} draws the ids, which nobody may guess. */
    RemoteEnds(RandomGenerator random, SourceBudgets budgets) {
        this.random = random;
        this.budgets = budgets;
    }

    Deadlines<RemoteEnd> deadlines() {
        return deadlines;
    }

    int size() {
        return byLocalId.size();
    }

    /** An end that calls. */
    RemoteEnd active(int address, int peerGsi) {
        return add(new RemoteEnd(unusedId(), address, peerGsi, false));
    }

    /** An end that was called. */
    RemoteEnd passive(int address, int peerGsi, int remoteId) {
        RemoteEnd end = add(new RemoteEnd(unusedId(), address, peerGsi, true));
        end.remoteId = remoteId;
        byCaller.put(caller(address, remoteId), end);
        return end;
    }

    private RemoteEnd add(RemoteEnd end) {
        byLocalId.put(end.localId, end);
        return end;
    }

    /** The end of that id, if its peer has that address. */
    @Nullable
    RemoteEnd find(int localId, int address) {
        RemoteEnd end = byLocalId.get(localId);
        return end != null && end.address == address ? end : null;
    }

    /** The end that was called from that address, by the caller's id. */
    @Nullable
    RemoteEnd called(int address, int remoteId) {
        return byCaller.get(caller(address, remoteId));
    }

    /** Its address has a budget of its own for as long as the end is there. */
    void know(RemoteEnd end) {
        if (!end.known) {
            end.known = true;
            budgets.know(end.address);
        }
    }

    /** It has no user any more; false if there is no room to keep it nevertheless. */
    boolean retire(RemoteEnd end) {
        end.user = null;
        int ofAddress = retiredByAddress.getOrDefault(end.address, 0);
        if (retired == MAX_RETIRED || ofAddress == MAX_RETIRED_OF_ADDRESS) {
            drop(end);
            return false;
        }
        end.retired = true;
        retired++;
        retiredByAddress.put(end.address, ofAddress + 1);
        return true;
    }

    void remove(RemoteEnd end) {
        if (end.retired) {
            end.retired = false;
            retired--;
            retiredByAddress.computeIfPresent(end.address, (_, count) -> count == 1 ? null : count - 1);
        }
        drop(end);
    }

    private void drop(RemoteEnd end) {
        deadlines.clear(end);
        byLocalId.remove(end.localId);
        if (end.passive) {
            byCaller.remove(caller(end.address, end.remoteId));
        }
        if (end.known) {
            end.known = false;
            budgets.forget(end.address);
        }
    }

    private int unusedId() {
        int id = random.nextInt();
        while (id == 0 || byLocalId.containsKey(id)) {
            id = random.nextInt();
        }
        return id;
    }

    private static long caller(int address, int remoteId) {
        return (long) address << 32 | (remoteId & 0xffff_ffffL);
    }
}
