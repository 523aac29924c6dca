package io.hyperverbs.lab.nas;

import java.util.List;
import java.util.Locale;

/**
 * What the arguments ask for: kernel, class and rounds; or why there is none. What is the same in all ranks decides, so
 * that none begins without the others.
 */
final class NasJob {
    private static final String NAMES = "EP, IS, CG, FT, MG";
    private static final String USAGE = "usage: nas KERNEL CLASS [ROUNDS|warm], for instance nas CG S 11";
    private static final String WARM = "warm";
    private static final double MIB = 1 << 20;
    private static final double NANOS = 1e9;

    /** Of the heap; the rest is for code, for MPI, and for what the collector cannot use of it. */
    private static final double HEAP_SHARE = 0.75;

    private static final int UNTIL_WARM = 0;

    private final String name;
    private final ProblemClass problem;

    /** {@link #UNTIL_WARM}, or so many. */
    private final int rounds;

    private final NasKernel kernel;

    private NasJob(String name, ProblemClass problem, int rounds) {
        this.name = name;
        this.problem = problem;
        this.rounds = rounds;
        this.kernel = kernel(name, problem);
    }

    /** @throws IllegalArgumentException with the reason, in one line */
    static NasJob of(String[] args) {
        if (args.length < 2 || args.length > 3) {
            throw new IllegalArgumentException(USAGE);
        }
        return new NasJob(
                args[0].toUpperCase(Locale.ROOT),
                problem(args[1].toUpperCase(Locale.ROOT)),
                args.length == 3 ? rounds(args[2]) : 1);
    }

    private static int rounds(String word) {
        if (word.equals(WARM)) {
            return UNTIL_WARM;
        }
        if (!word.matches("[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException("rounds are 1 to 9999, or warm, not " + word);
        }
        return Integer.parseInt(word);
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

    /** Works through all rounds, each from the beginning with arrays of its own. */
    KernelRounds.Outcome run(RankPeers peers) {
        KernelRounds made = new KernelRounds(peers, System::nanoTime);
        KernelRounds.Round round = () -> kernel(name, problem).run(peers);
        return rounds == UNTIL_WARM ? made.warm(round) : made.of(rounds, round);
    }

    /**
     * What rank 0 prints, line by line. Of several rounds the first warms up, as compilers work meanwhile, unless others
     * have: the time is the median of those that count.
     */
    String report(KernelRounds.Outcome outcome, int ranks) {
        List<NasResult> results = outcome.results();
        boolean firstCounts = outcome.warmUp() > 0 || results.size() == 1;
        StringBuilder block = new StringBuilder(String.format(
                Locale.ROOT,
                "kernel      %s%nclass       %s%nranks       %d%niterations  %d%n",
                name,
                problem,
                ranks,
                kernel.iterations()));
        if (outcome.warmUp() > 0) {
            block.append(String.format(Locale.ROOT, "warm-up     %d rounds%n", outcome.warmUp()));
        }
        for (int round = 0; round < results.size() && results.size() > 1; round++) {
            block.append(String.format(
                    Locale.ROOT,
                    "%-11s %.6f s%s%n",
                    "round " + (round + 1),
                    results.get(round).nanos() / NANOS,
                    round == 0 && !firstCounts ? ", warms up" : ""));
        }
        double seconds = median(results.subList(firstCounts ? 0 : 1, results.size()));
        block.append(String.format(
                Locale.ROOT,
                "time        %.3f s%s%nMop/s       %.2f%n",
                seconds,
                results.size() > 2 ? ", median of rounds " + (firstCounts ? 1 : 2) + " to " + results.size() : "",
                kernel.operations() / seconds / 1e6));
        results.forEach(result -> addDifferences(block, result));
        return block.append(isVerified(results) ? "verified" + System.lineSeparator() : "")
                .toString();
    }

    private static double median(List<NasResult> results) {
        double[] sorted =
                results.stream().mapToDouble(NasResult::nanos).sorted().toArray();
        int half = sorted.length / 2;
        return (sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2) / NANOS;
    }

    static boolean isVerified(List<NasResult> results) {
        return results.stream().allMatch(NasResult::isVerified);
    }

    private static void addDifferences(StringBuilder block, NasResult result) {
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
    }
}
