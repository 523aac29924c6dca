package io.hyperverbs.lab.run.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A round between two hop probes, and what may have disturbed it. */
public interface MeasuredRound {
    /** Other work takes so much of the cores now and then on any computer. */
    double MOST_OTHER_CORES = 0.3;

    /** The state between the probes before and after. */
    HopState hop();

    /** Cores that other work used meanwhile. */
    double otherCores();

    /** Whether other work used the cores that the programs and the engine need. */
    default boolean isCrowded() {
        return otherCores() > MOST_OTHER_CORES;
    }

    /** Whether nothing is known to have disturbed it. */
    default boolean isGood() {
        return !isCrowded() && hop().isKnown();
    }

    /** The good rounds of the hop state that has most of them; others only where none is good. */
    static <R extends MeasuredRound> List<R> kept(List<R> rounds) {
        List<R> good = ofOneState(rounds.stream().filter(MeasuredRound::isGood).toList());
        return good.isEmpty() ? ofOneState(rounds) : good;
    }

    private static <R extends MeasuredRound> List<R> ofOneState(List<R> rounds) {
        Map<HopState, List<R>> byState = new EnumMap<>(HopState.class);
        for (R round : rounds) {
            byState.computeIfAbsent(round.hop(), state -> new ArrayList<>()).add(round);
        }
        List<R> mixed = byState.getOrDefault(HopState.MIXED, List.of());
        byState.remove(HopState.MIXED);
        return byState.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(mixed);
    }
}
