package io.hyperverbs.lab.run.mpi;

import java.util.List;

/**
 * What {@code hv bench mpi} measures.
 *
 * @param sizesBytes of messages, 0 to 1048576
 * @param ranks of operations of all ranks and of NAS kernels; messages are between two
 * @param rounds that count, at least 1
 * @param millis of each figure in a round, about
 * @param nasClass of the NAS kernels; empty for none of them
 */
public record MpiPlan(List<Integer> sizesBytes, int ranks, int rounds, int millis, String nasClass) {
    public static final List<Integer> STANDARD_SIZES = List.of(0, 8, 64, 1024, 8 << 10, 64 << 10, 1 << 20);
    public static final int MOST_BYTES = 1 << 20;

    static final String NATIVE = "native";
    public static final String BYPASS = "bypass";

    /** The first is what others are compared with. */
    public static final List<String> PATHS = List.of(NATIVE, BYPASS, "forwarded");

    public static final List<String> KERNELS = List.of("EP", "IS", "CG", "MG", "FT");

    /** Kernels take long on the forwarded path. */
    private static final int MOST_NAS_ROUNDS = 3;

    public MpiPlan {
        sizesBytes = List.copyOf(sizesBytes);
    }

    int nasRounds() {
        return nasClass.isEmpty() ? 0 : Math.min(rounds, MOST_NAS_ROUNDS);
    }

    /** The jobs that a program's arguments make. */
    long jobs() {
        int ofMessages = (rounds + 1) * (ranks == 2 ? 1 : 2);
        return (long) PATHS.size() * (ofMessages + nasRounds() * KERNELS.size());
    }
}
