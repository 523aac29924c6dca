package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.bench.CallSequence;
import java.util.ArrayList;
import java.util.List;

/**
 * What to measure and how long.
 *
 * @param bench what {@code sequences} are some of
 * @param sizesBytes of memory that is registered, 1 to {@link #MOST_BYTES}
 * @param rounds of each cell
 * @param terms of a round
 */
public record CallPlan(
        CallBench bench, List<CallSequence> sequences, List<Integer> sizesBytes, int rounds, CallTerms terms) {
    public static final int MOST_BYTES = 64 << 20;

    /** The first verbs of a guest that are looked at. */
    public static final int FIRST_VERBS = 100;

    /** Each guest that was not used before is a process: there are no more of them. */
    static final int MOST_NEW_GUESTS = 5;

    private static final List<Integer> SIZES = List.of(4 << 10, 64 << 10, 1 << 20, MOST_BYTES);
    private static final int ITERATIONS = 2_000;
    private static final int WARM_UP = 20;

    /** The fastest of what is timed, a wake of 1 us, fills a chunk of the warm-up by so many. */
    private static final int CHUNK_ITERATIONS = 20_000;

    private static final int MILLIS = 100;

    public CallPlan {
        sequences = List.copyOf(sequences);
        sizesBytes = sizesBytes.stream().distinct().toList();
    }

    /** 11 rounds of everything: about a minute. */
    public static CallPlan full(CallBench bench) {
        return new CallPlan(bench, bench.sequences(), SIZES, 11, new CallTerms(ITERATIONS, WARM_UP, MILLIS));
    }

    /** 5 short rounds of everything. */
    public static CallPlan quick(CallBench bench) {
        return new CallPlan(bench, bench.sequences(), SIZES, 5, new CallTerms(ITERATIONS, WARM_UP, MILLIS / 4));
    }

    /** With other sequences, sizes, rounds and iterations. */
    public CallPlan with(List<CallSequence> chosen, List<Integer> sizes, int otherRounds, int iterations) {
        return new CallPlan(
                bench,
                chosen,
                sizes,
                otherRounds,
                new CallTerms(iterations, Math.min(WARM_UP, iterations), terms.millis()));
    }

    /** All cells, in the order of the rows. */
    public List<CallCell> cells() {
        List<CallCell> cells = new ArrayList<>();
        for (CallSequence sequence : sequences) {
            for (int bytes : sequence.hasSizes() ? sizesBytes : List.of(0)) {
                cells.add(new CallCell(sequence, bytes));
            }
        }
        return cells;
    }

    /** Where a cell is measured: natively no process is new, so that there are no first verbs. */
    List<CallSite> sites(CallCell cell) {
        return cell.sequence() == CallSequence.FIRST ? List.of(CallSite.BYPASS, bench.floor()) : bench.sites();
    }

    /** How often a cell is measured. */
    int rounds(CallCell cell) {
        return cell.sequence() == CallSequence.FIRST ? Math.min(rounds, MOST_NEW_GUESTS) : rounds;
    }

    /** Guests that nothing runs in before their round. */
    int newGuests() {
        return sequences.contains(CallSequence.FIRST) ? Math.min(rounds, MOST_NEW_GUESTS) : 0;
    }

    /** How a cell is measured at a site. */
    CallTerms terms(CallCell cell, CallSite site) {
        boolean isFirst = cell.sequence() == CallSequence.FIRST && site.isOfMachine();
        int times = FIRST_VERBS / cell.sequence().steps().size();
        return isFirst ? new CallTerms(times, 0, Integer.MAX_VALUE) : of(cell, site, terms);
    }

    /** How it is warmed up there, for so long, however few are to be timed. */
    CallTerms warmUp(CallCell cell, CallSite site, int millis) {
        return of(cell, site, new CallTerms(CHUNK_ITERATIONS, 0, millis));
    }

    /** Where several connections are made at a time, as many are made as elsewhere. */
    private static CallTerms of(CallCell cell, CallSite site, CallTerms each) {
        if (cell.sequence() != CallSequence.MANY || !site.isOfMachine()) {
            return each;
        }
        return new CallTerms(
                Math.ceilDiv(each.iterations(), CallSequence.UNDER_WAY),
                Math.ceilDiv(each.warmUp(), CallSequence.UNDER_WAY),
                each.millis());
    }

    int largestBytes() {
        return sizesBytes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
