package io.hyperverbs.lab.nas;

import java.util.List;
import java.util.Locale;

/**
 * One run as its arguments ask for it: kernel and class; or why there is none. What is the same in all ranks decides, so
 * that none begins without the others.
 */
final class NasJob {
    private static final String NAMES = "EP, IS, CG, FT, MG";
    private static final double MIB = 1 << 20;

    /** Of the heap; the rest is for code, for MPI, and for what the collector cannot use of it. */
    private static final double HEAP_SHARE = 0.75;

    private final String name;
    private final ProblemClass problem;
    private final NasKernel kernel;

    private NasJob(String name, ProblemClass problem) {
        this.name = name;
        this.problem = problem;
        this.kernel = kernel(name, problem);
    }

    /** @throws IllegalArgumentException with the reason, in one line */
    static NasJob of(String[] args) {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: nas KERNEL CLASS, for instance nas CG S");
        }
        return new NasJob(args[0].toUpperCase(Locale.ROOT), problem(args[1].toUpperCase(Locale.ROOT)));
    }

    private static ProblemClass problem(String word) {
        return List.of(ProblemClass.values()).stream()
                .filter(known -> known.name().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("class is S, W or A, not " + word));
    }

    private static NasKernel kernel(String name, ProblemClass problem) {
        return switch (name) {
            case "EP" -> new EpKernel(problem);
            case "IS" -> new IsKernel(problem);
            case "CG" -> new CgKernel(problem);
            case "FT" -> new FtKernel(problem);
            case "MG" -> new MgKernel(problem);
            default -> throw new IllegalArgumentException("kernel is one of " + NAMES + ", not " + name);
        };
    }

    /**
     * @param heapBytes of this rank's JVM
     * @return why it does not run here, in one line; empty when it does
     */
    String refusal(int ranks, long heapBytes) {
        long needed = kernel.heapBytes(ranks);
        if (needed > heapBytes * HEAP_SHARE) {
            return String.format(
                    Locale.ROOT,
                    "%s %s takes %.0f MiB of heap in each of %d ranks, a guest has %.0f MiB; take more ranks",
                    name,
                    problem,
                    needed / MIB,
                    ranks,
                    heapBytes / MIB);
        }
        return kernel.refusal(ranks);
    }

    NasResult run(RankPeers peers) {
        return kernel.run(peers);
    }

    /** @return what rank 0 prints, line by line */
    String report(NasResult result, int ranks) {
        double seconds = result.nanos() / 1e9;
        StringBuilder block = new StringBuilder(String.format(
                Locale.ROOT,
                "kernel      %s%nclass       %s%nranks       %d%niterations  %d%ntime        %.3f s%nMop/s      "
                        + " %.2f%n",
                name,
                problem,
                ranks,
                kernel.iterations(),
                seconds,
                kernel.operations() / seconds / 1e6));
        for (NasResult.Check check : result.checks()) {
            if (!check.holds()) {
                block.append(String.format(
                        Locale.ROOT,
                        "NOT VERIFIED: %s is %.15g, expected %.15g%n",
                        check.name(),
                        check.value(),
                        check.expected()));
            }
        }
        return block.append(result.isVerified() ? "verified" + System.lineSeparator() : "")
                .toString();
    }
}
