package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.TrafficPattern;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Several guests that send at the same time. */
final class PatternOptions {
    private static final int STANDARD_GUESTS = 4;

    /** Two halves of a buffer for each pair; the other half of a guest's memory is for its rings. */
    private static final long MOST_BUFFER_BYTES = Guest.STANDARD_MEMORY_BYTES / 2;

    @Option(
            names = "--pattern",
            paramLabel = "PATTERN",
            description = "Several guests at once instead of a pair, by -c RC: O2O (one to one), O2M (one to many), M2O"
                    + " (many to one), A2A (all to all). Figures of each pair and of all; a row takes -D seconds (1).")
    @Nullable
    String pattern;

    @Option(names = "--guests", paramLabel = "N", description = "Guests of --pattern, 2 to 8 (default: 4).")
    @Nullable
    Integer guests;

    /** The pattern, if there is one. */
    Optional<TrafficPattern> pattern() throws HvException {
        if (pattern == null) {
            if (guests != null) {
                throw usage("--guests without --pattern", "--pattern O2O, O2M, M2O or A2A");
            }
            return Optional.empty();
        }
        return Optional.of(Choices.pick("--pattern", List.of(pattern), TrafficPattern.values(), TrafficPattern::name)
                .getFirst());
    }

    /** How many guests. */
    int guests(TrafficPattern chosen) throws HvException {
        List<Integer> given = guests == null ? List.of() : List.of(guests);
        int count = Choices.within(
                        "--guests",
                        given,
                        TrafficPattern.LEAST_GUESTS,
                        TrafficPattern.MOST_GUESTS,
                        List.of(STANDARD_GUESTS))
                .getFirst();
        if (chosen == TrafficPattern.O2O && count % 2 != 0) {
            throw usage("--guests " + count + " with O2O, must be even", "pairs have two guests");
        }
        return count;
    }

    /** Refuses what patterns do not have. */
    static void check(PerfPlan plan, TrafficPattern chosen, int count) throws HvException {
        if (plan.transport() != QpType.RC) {
            throw usage("--pattern takes -c RC", "");
        }
        if (!plan.latency() && plan.verb() != BenchVerb.SEND && plan.verb() != BenchVerb.WRITE) {
            throw usage("bw --pattern takes --verb send or write", "lat --pattern takes all");
        }
        if (plan.queues().queuePairs() != 1
                || plan.flags().contains(PerfFlag.EVENTS)
                || plan.flags().contains(PerfFlag.BIDIRECTIONAL)
                || plan.flags().contains(PerfFlag.SRQ)) {
            throw usage("--pattern does not go with -q, -b, -e and --use-srq", "A2A sends both ways");
        }
        for (int size : plan.sizesBytes()) {
            if (2L * size * chosen.mostPairs(count) > MOST_BUFFER_BYTES) {
                throw usage(
                        "-s " + size + " is more than " + count + " guests have memory for",
                        "fewer --guests take more");
            }
        }
    }

    static HvException usage(String what, String hint) {
        return new HvException(ExitCode.USAGE, what, hint);
    }
}
