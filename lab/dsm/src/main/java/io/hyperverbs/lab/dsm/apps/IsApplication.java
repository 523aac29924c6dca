package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;
import java.util.Arrays;

/**
 * IS: ranks of integer keys by counting (Liss 2003 §5.2, TreadMarks; keys after NAS RNR-94-007, section 3.5). Each
 * node counts its own keys and adds its counts to those of all. These lie in as many parts as there are nodes, each
 * with a lock, and each node begins with its own. A minipage is a part.
 */
public final class IsApplication implements DsmApplication {
    private static final double[] NOTHING = {};
    private static final int NO_KEY = -1;

    /** The result is collected in pieces, as the ranks of all keys take more than the counts. */
    private static final int WINDOW = 1 << 13;

    private static final int WINDOW_PAGE = 1 << 9;

    @Override
    public String name() {
        return "is";
    }

    @Override
    public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
        IsKeys keys = IsKeys.of(size);
        Ranking ranking = new Ranking(dsm, keys);
        SharedLongs window = dsm.longs(WINDOW, WINDOW_PAGE);
        timer.start();
        for (int iteration = 0; iteration < keys.iterations(); iteration++) {
            ranking.rank(iteration);
        }
        timer.stop();
        double[] sorted = dsm.node() == 0 ? new double[keys.count()] : NOTHING;
        Arrays.fill(sorted, NO_KEY);
        int[] last = dsm.node() == 0 ? keys.last() : new int[0];
        for (int begin = 0; begin < keys.count(); begin += WINDOW) {
            ranking.show(begin, window);
            dsm.barrier();
            if (dsm.node() == 0) {
                place(window, last, begin, sorted);
            }
            dsm.barrier();
        }
        return sorted;
    }

    /** Puts keys where their ranks say; a rank that two keys have leaves another place without one. */
    private static void place(SharedLongs window, int[] keys, int begin, double[] sorted) {
        long[] ranks = new long[Math.min(WINDOW, keys.length - begin)];
        window.get(0, ranks, 0, ranks.length);
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] >= 0 && ranks[i] < sorted.length) {
                sorted[(int) ranks[i]] = keys[begin + i];
            }
        }
    }

    @Override
    public double[] expected(AppSize size) {
        int[] sorted = IsKeys.of(size).last();
        Arrays.sort(sorted);
        return Arrays.stream(sorted).asDoubleStream().toArray();
    }

    /** The keys of one node, and the counts of all. */
    private static final class Ranking {
        private final Dsm dsm;
        private final IsKeys keys;
        private final NodeShare share;
        private final int[] own;
        private final long[] ranks;

        /** Counts in one part. */
        private final int part;

        /** By key, of all nodes together. */
        private final SharedLongs counts;

        Ranking(Dsm dsm, IsKeys keys) {
            this.dsm = dsm;
            this.keys = keys;
            share = NodeShare.of(dsm, keys.count());
            own = Arrays.copyOfRange(keys.start(), share.first(), share.end());
            ranks = new long[own.length];
            part = powerOfTwo(Math.ceilDiv(keys.range(), dsm.nodes()));
            counts = dsm.longs(part * dsm.nodes(), part);
        }

        private static int powerOfTwo(int least) {
            return least == 1 ? 1 : Integer.highestOneBit(least - 1) << 1;
        }

        void rank(int iteration) {
            counts.set(part * dsm.node(), new long[part], 0, part);
            keys.change(own, share.first(), iteration);
            long[] mine = new long[counts.length()];
            for (int key : own) {
                mine[key]++;
            }
            // All parts are zero.
            dsm.barrier();
            long[] next = new long[counts.length()];
            for (int i = 0; i < dsm.nodes(); i++) {
                addTo((dsm.node() + i) % dsm.nodes(), mine, next);
            }
            dsm.barrier();
            long[] all = new long[counts.length()];
            counts.get(0, all, 0, all.length);
            long below = 0;
            for (int key = 0; key < all.length; key++) {
                next[key] += below;
                below += all[key];
            }
            for (int i = 0; i < own.length; i++) {
                ranks[i] = next[own[i]]++;
            }
            // All nodes have read all parts.
            dsm.barrier();
        }

        /** Equal keys of those nodes that came before this one are ranked before its own. */
        private void addTo(int number, long[] mine, long[] before) {
            int begin = number * part;
            long[] sums = new long[part];
            dsm.lock(number);
            counts.get(begin, sums, 0, part);
            System.arraycopy(sums, 0, before, begin, part);
            for (int i = 0; i < part; i++) {
                sums[i] += mine[begin + i];
            }
            counts.set(begin, sums, 0, part);
            dsm.unlock(number);
        }

        /** Writes the ranks of those own keys whose indexes lie in the window. */
        void show(int begin, SharedLongs window) {
            int first = Math.max(begin, share.first());
            int end = Math.min(begin + window.length(), share.end());
            if (first < end) {
                window.set(first - begin, ranks, first - share.first(), end - first);
            }
        }
    }
}
