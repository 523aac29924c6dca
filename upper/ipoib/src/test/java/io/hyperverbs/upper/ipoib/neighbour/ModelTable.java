package io.hyperverbs.upper.ipoib.neighbour;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table once more, by rules instead of moves: no states, no links, no cached deadline. Slow and simple. */
final class ModelTable {
    private static final long SECOND = 1_000_000_000L;

    private static final class Entry {
        HardwareAddress hardware;
        /** Negative: never. */
        long confirmedAt = -1;
        /** Of the solicitations that are out; empty while there are none. */
        final List<Long> solicitedAt = new ArrayList<>();

        final Deque<Integer> waiting = new ArrayDeque<>();
    }

    private final int capacity;
    private final RecordedActions actions;
    private final LinkedHashMap<IpAddress, Entry> entries = new LinkedHashMap<>();

    ModelTable(int capacity, RecordedActions actions) {
        this.capacity = capacity;
        this.actions = actions;
    }

    HardwareAddress find(IpAddress address, long now) {
        Entry entry = entries.remove(address);
        if (entry == null) {
            return null;
        }
        entries.put(address, entry);
        boolean isConfirmed = entry.confirmedAt >= 0 && now < entry.confirmedAt + 30 * SECOND;
        if (entry.hardware != null && !isConfirmed && entry.solicitedAt.isEmpty()) {
            entry.solicitedAt.add(now);
            actions.solicitByUnicast(address, entry.hardware);
        }
        return entry.hardware;
    }

    void await(IpAddress address, int packet, long now) {
        HardwareAddress hardware = find(address, now);
        if (hardware != null) {
            actions.transmit(packet, hardware);
            return;
        }
        Entry entry = ensure(address);
        if (entry.waiting.size() == 3) {
            actions.drop(entry.waiting.remove(), DropReason.QUEUE_FULL);
        }
        entry.waiting.add(packet);
        if (entry.solicitedAt.isEmpty()) {
            entry.solicitedAt.add(now);
            actions.solicitByMulticast(address);
        }
    }

    void replied(IpAddress address, HardwareAddress hardware, long now) {
        Entry entry = entries.get(address);
        if (entry != null) {
            store(entry, hardware, now);
        }
    }

    void requested(IpAddress address, HardwareAddress hardware) {
        Entry entry = ensure(address);
        if (!hardware.equals(entry.hardware)) {
            store(entry, hardware, -1);
        }
    }

    void announced(IpAddress address, HardwareAddress hardware) {
        if (entries.containsKey(address)) {
            requested(address, hardware);
        }
    }

    private static void clearSolicitations(Entry entry) {
        entry.solicitedAt.clear();
    }

    private void store(Entry entry, HardwareAddress hardware, long confirmedAt) {
        entry.hardware = hardware;
        entry.confirmedAt = confirmedAt;
        clearSolicitations(entry);
        entry.waiting.forEach(packet -> actions.transmit(packet, hardware));
        entry.waiting.clear();
    }

    private Entry ensure(IpAddress address) {
        Entry entry = entries.get(address);
        if (entry != null) {
            return entry;
        }
        if (entries.size() == capacity) {
            drop(entries.remove(entries.firstEntry().getKey()), DropReason.TABLE_FULL);
        }
        Entry added = new Entry();
        entries.put(address, added);
        return added;
    }

    private void drop(Entry entry, DropReason reason) {
        entry.waiting.forEach(packet -> actions.drop(packet, reason));
    }

    void advance(long now) {
        List<Map.Entry<IpAddress, Entry>> newestFirst = new ArrayList<>(entries.entrySet()).reversed();
        for (Map.Entry<IpAddress, Entry> each : newestFirst) {
            Entry entry = each.getValue();
            if (entry.solicitedAt.isEmpty() || now < entry.solicitedAt.getLast() + SECOND) {
                continue;
            }
            if (entry.solicitedAt.size() == 3) {
                entries.remove(each.getKey());
                drop(entry, DropReason.UNREACHABLE);
                continue;
            }
            entry.solicitedAt.add(now);
            if (entry.hardware == null) {
                actions.solicitByMulticast(each.getKey());
            } else {
                actions.solicitByUnicast(each.getKey(), entry.hardware);
            }
        }
    }

    /** Whether {@link #advance} would do anything. */
    boolean isDue(long now) {
        return entries.values().stream()
                .anyMatch(entry -> !entry.solicitedAt.isEmpty() && now >= entry.solicitedAt.getLast() + SECOND);
    }

    int size() {
        return entries.size();
    }

    int waiting() {
        return entries.values().stream().mapToInt(entry -> entry.waiting.size()).sum();
    }
}
