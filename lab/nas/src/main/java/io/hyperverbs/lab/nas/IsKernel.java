package io.hyperverbs.lab.nas;

import io.hyperverbs.lab.nas.NasResult.Check;
import java.util.List;

/**
 * IS, integer sort: ranks of keys with a bell-shaped distribution, ten times with two keys changed each time (RNR-94-007,
 * section 3.5). Keys are counted in buckets, neighbouring buckets dealt to ranks so that each has about as many keys, and
 * each rank counts what it gets.
 */
public final class IsKernel implements NasKernel {
    private static final int ITERATIONS = 10;
    private static final int KEY_BYTES = 4;
    private static final int BUCKETS_LOG = 9;
    private static final int BUCKETS = 1 << BUCKETS_LOG;

    private final Size size;
    private final IsProbes probes;

    private int[] keys = {};
    private int firstIndex;

    /** Keys of this rank's buckets, unsorted. */
    private int[] received = {};

    /** Lowest key of this rank's buckets, and how many keys others have below it. */
    private int lowest;

    private int below;

    /** By key - lowest: keys up to and with it, of this rank. */
    private int[] upTo = {};

    private record Size(int keysLog, int highestLog) {
        int keys() {
            return 1 << keysLog;
        }

        int highest() {
            return 1 << highestLog;
        }

        int shift() {
            return highestLog - BUCKETS_LOG;
        }
    }

    public IsKernel(ProblemClass problem) {
        size = switch (problem) {
            case S -> new Size(16, 11);
            case W -> new Size(20, 16);
            case A -> new Size(23, 19);
        };
        probes = IsProbes.of(problem);
    }

    @Override
    public int iterations() {
        return ITERATIONS;
    }

    @Override
    public double operations() {
        return (double) ITERATIONS * size.keys();
    }

    @Override
    public String refusal(int ranks) {
        return ranks <= BUCKETS ? "" : "IS takes " + BUCKETS + " ranks at most";
    }

    @Override
    public long heapBytes(int ranks) {
        // Keys, keys to send, keys received, and these sorted; then what is counted.
        return 4L * KEY_BYTES * perRank(ranks) + (long) KEY_BYTES * size.highest();
    }

    private int perRank(int ranks) {
        return (size.keys() + ranks - 1) / ranks;
    }

    @Override
    public NasResult run(RankPeers peers) {
        draw(peers);
        // Not timed: pages and code are touched.
        int right = iterate(1, peers);
        long start = System.nanoTime();
        for (int iteration = 1; iteration <= ITERATIONS; iteration++) {
            right += iterate(iteration, peers);
        }
        long nanos = System.nanoTime() - start;
        int[] found = {received.length, outOfOrder(), right};
        peers.sum(found);
        return new NasResult(
                nanos,
                List.of(
                        new Check("keys", found[0], size.keys(), 0),
                        new Check("keys out of order", found[1], 0, 0),
                        new Check("published ranks", found[2], (ITERATIONS + 1) * IsProbes.COUNT, 0)));
    }

    private void draw(RankPeers peers) {
        firstIndex = Math.min(size.keys(), perRank(peers.size()) * peers.rank());
        keys = new int[Math.min(size.keys() - firstIndex, perRank(peers.size()))];
        NasRandom random = new NasRandom(NasRandom.SEED);
        random.skip(4L * firstIndex);
        int quarter = size.highest() / 4;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (int) (quarter * (random.next() + random.next() + random.next() + random.next()));
        }
    }

    /** @return how many keys of this rank have the rank that is published */
    private int iterate(int iteration, RankPeers peers) {
        change(iteration, iteration);
        change(iteration + ITERATIONS, size.highest() - iteration);
        int[] counts = new int[BUCKETS + IsProbes.COUNT];
        for (int key : keys) {
            counts[key >> size.shift()]++;
        }
        for (int probe = 0; probe < IsProbes.COUNT; probe++) {
            int at = probes.index(probe) - firstIndex;
            counts[BUCKETS + probe] = at >= 0 && at < keys.length ? keys[at] : 0;
        }
        int[] mine = counts.clone();
        peers.sum(counts);
        int[] owners = owners(counts, peers.size());
        received = deal(mine, owners, peers);
        int buckets = begin(counts, owners, peers.rank());
        count(buckets << size.shift());
        int right = 0;
        for (int probe = 0; probe < IsProbes.COUNT; probe++) {
            int key = counts[BUCKETS + probe];
            boolean isMine = owners[key >> size.shift()] == peers.rank();
            right += isMine && rankOf(key) == probes.rank(probe, iteration) ? 1 : 0;
        }
        return right;
    }

    private void change(int index, int key) {
        int at = index - firstIndex;
        if (at >= 0 && at < keys.length) {
            keys[at] = key;
        }
    }

    /** Deals buckets in their order; one goes to the rank that has the place of its first key when all have as many. */
    private int[] owners(int[] counts, int ranks) {
        int[] owners = new int[BUCKETS];
        long before = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            owners[bucket] = (int) Math.min(ranks - 1, before * ranks / size.keys());
            before += counts[bucket];
        }
        return owners;
    }

    private int[] deal(int[] mine, int[] owners, RankPeers peers) {
        int[] perRank = new int[peers.size()];
        int[] places = new int[BUCKETS];
        int before = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            places[bucket] = before;
            before += mine[bucket];
            perRank[owners[bucket]] += mine[bucket];
        }
        int[] send = new int[keys.length];
        for (int key : keys) {
            send[places[key >> size.shift()]++] = key;
        }
        return peers.allToAllv(send, perRank);
    }

    /** Finds where this rank's buckets begin. @return how many they are */
    private int begin(int[] counts, int[] owners, int rank) {
        below = 0;
        int first = 0;
        while (first < BUCKETS && owners[first] < rank) {
            below += counts[first++];
        }
        lowest = first << size.shift();
        int end = first;
        while (end < BUCKETS && owners[end] == rank) {
            end++;
        }
        return end - first;
    }

    private void count(int range) {
        upTo = new int[range];
        for (int key : received) {
            upTo[key - lowest]++;
        }
        for (int i = 1; i < range; i++) {
            upTo[i] += upTo[i - 1];
        }
    }

    /** @return how many keys of all ranks are lower */
    private int rankOf(int key) {
        return below + (key == lowest ? 0 : upTo[key - lowest - 1]);
    }

    /** Puts each key at the place that its rank says, and looks at the order. */
    private int outOfOrder() {
        int[] sorted = new int[received.length];
        int[] places = upTo.clone();
        for (int key : received) {
            sorted[--places[key - lowest]] = key;
        }
        int found = 0;
        for (int i = 1; i < sorted.length; i++) {
            found += sorted[i - 1] > sorted[i] ? 1 : 0;
        }
        return found;
    }
}
