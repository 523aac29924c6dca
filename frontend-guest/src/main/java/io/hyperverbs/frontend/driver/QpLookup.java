package io.hyperverbs.frontend.driver;

import org.jspecify.annotations.Nullable;

/**
 * From queue pair number to rings, for the queue pairs of one completion queue: open addressing
 * over two arrays. A look allocates nothing and takes no lock; a change copies.
 */
final class QpLookup {
    /** QPN 0 is the subnet manager's and never given: it marks a free place. */
    private static final int FREE = 0;

    private static final int HASH = 0x9E3779B9;

    @SuppressWarnings("ArrayRecordComponent") // Searched, never compared.
    private record Table(int[] qpns, @Nullable QpRings[] rings, int count) {
        static Table sized(int capacity) {
            return new Table(new int[capacity], new QpRings[capacity], 0);
        }
    }

    private volatile Table table = Table.sized(4);

    /** The rings of that queue pair, or null. */
    @Nullable
    QpRings find(int qpn) {
        Table now = table;
        int mask = now.qpns.length - 1;
        for (int place = place(qpn, mask); now.qpns[place] != FREE; place = (place + 1) & mask) {
            if (now.qpns[place] == qpn) {
                return now.rings[place];
            }
        }
        return null;
    }

    synchronized void add(int qpn, QpRings rings) {
        rebuild(qpn, rings);
    }

    synchronized void remove(int qpn) {
        rebuild(qpn, null);
    }

    /** Copies all but {@code qpn}, which gets {@code rings} if they are given. */
    private void rebuild(int qpn, @Nullable QpRings rings) {
        Table old = table;
        // At most half full, so that every search ends.
        int capacity = Math.max(4, Integer.highestOneBit(old.count + 1) * 4);
        int[] qpns = new int[capacity];
        @Nullable QpRings[] values = new QpRings[capacity];
        int count = 0;
        for (int i = 0; i < old.qpns.length; i++) {
            QpRings kept = old.rings[i];
            if (kept != null && old.qpns[i] != qpn) {
                insert(qpns, values, old.qpns[i], kept);
                count++;
            }
        }
        if (rings != null) {
            insert(qpns, values, qpn, rings);
            count++;
        }
        table = new Table(qpns, values, count);
    }

    private static void insert(int[] qpns, @Nullable QpRings[] values, int qpn, QpRings rings) {
        int mask = qpns.length - 1;
        int place = place(qpn, mask);
        while (qpns[place] != FREE) {
            place = (place + 1) & mask;
        }
        qpns[place] = qpn;
        values[place] = rings;
    }

    private static int place(int qpn, int mask) {
        return ((qpn * HASH) >>> 8) & mask;
    }
}
