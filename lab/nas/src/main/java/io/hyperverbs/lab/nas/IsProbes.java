package io.hyperverbs.lab.nas;

/**
 * Keys of IS whose ranks are published: by index of the key, the rank before any iteration, and how an iteration moves
 * it, as the two keys that it changes are below or above (RNR-94-007, section 3.5; classes S and W from NPB 2).
 */
final class IsProbes {
    static final int COUNT = 5;

    private final int[] indexes;
    private final int[] ranks;

    /** So many of the probes, the low keys, move up, the others down. */
    private final int lowKeys;

    /** The iterations after which low and high keys have the published rank. */
    private final int lowFrom;

    private final int highFrom;

    private IsProbes(int[] indexes, int[] ranks, int lowKeys, int lowFrom, int highFrom) {
        this.indexes = indexes;
        this.ranks = ranks;
        this.lowKeys = lowKeys;
        this.lowFrom = lowFrom;
        this.highFrom = highFrom;
    }

    static IsProbes of(ProblemClass problem) {
        return switch (problem) {
            case S ->
                new IsProbes(
                        new int[] {48427, 17148, 23627, 62548, 4431}, new int[] {0, 18, 346, 64917, 65463}, 3, 0, 0);
            case W ->
                new IsProbes(
                        new int[] {357773, 934767, 875723, 898999, 404505},
                        new int[] {1249, 11698, 1039987, 1043896, 1048018},
                        2,
                        2,
                        0);
            case A ->
                new IsProbes(
                        new int[] {2112377, 662041, 5336171, 3642833, 4250760},
                        new int[] {104, 17523, 123928, 8288932, 8388264},
                        3,
                        1,
                        1);
        };
    }

    /** @return of the key, among all */
    int index(int probe) {
        return indexes[probe];
    }

    /** @return keys lower than this one after so many iterations, as published */
    int rank(int probe, int iteration) {
        return probe < lowKeys ? ranks[probe] + iteration - lowFrom : ranks[probe] - iteration + highFrom;
    }
}
