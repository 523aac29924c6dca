package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.IsolationCase.Timing;
import io.hyperverbs.lab.attacks.VerbPace;
import io.hyperverbs.lab.attacks.VerbPace.Act;
import io.hyperverbs.lab.run.bench.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long another guest's verbs took when an attacker was calm and beside its attack, in rounds, and what the device
 * domain's heap had more beside it. Where the attacker also asked for what it may have, as often as in its attack,
 * medians are compared with those: others' verbs take longer beside anybody who asks. 99th percentiles are always
 * compared with those of calm moments.
 */
final class Paces {
    /** Of medians: that of the rounds' ratios, as other work on the computer spoils some rounds. */
    private static final double MEDIAN_LIMIT = 2;

    /** Of 99th percentiles, in the same way: beside an attack, and with it stopped. */
    private static final double P99_BESIDE = 2;

    private static final double P99_STOPPED = 1.2;

    /** Standard normal score that chance alone exceeds once in a hundred times. */
    private static final double RARE = 2.326;

    private static final long HEAP_BYTES = 1 << 20;
    private static final double KIB = 1024;

    /** @param asking the calm moment itself if the attacker asked for nothing */
    private record Round(VerbPace calm, VerbPace asking, VerbPace beside) {
        double median(Act act) {
            return ratio(beside.of(act).medianNanos(), asking.of(act).medianNanos());
        }

        double p99(Act act) {
            return ratio(beside.of(act).p99Nanos(), calm.of(act).p99Nanos());
        }

        private static double ratio(long nanos, long ofNanos) {
            return (double) nanos / Math.max(1, ofNanos);
        }
    }

    private final List<Round> rounds = new ArrayList<>();
    private final List<VerbPace> allCalm = new ArrayList<>();
    private final List<VerbPace> allBeside = new ArrayList<>();
    private @Nullable VerbPace latestCalm;
    private @Nullable VerbPace latestAsking;
    private boolean starved;
    private final List<Double> heapBytes = new ArrayList<>();

    /** What was measured, one or more, while the attacker did nothing. */
    void calm(List<VerbPace> measured) {
        if (measured.isEmpty()) {
            return;
        }
        latestCalm = VerbPace.middle(measured);
        latestAsking = null;
        allCalm.add(latestCalm);
    }

    /** What was measured after that, while it asked and got what it asked for. */
    void asking(List<VerbPace> measured) {
        latestAsking = measured.isEmpty() ? null : VerbPace.middle(measured);
    }

    /** What was measured, one or more, beside the attack: a round, if it was calm before. */
    void beside(List<VerbPace> measured) {
        if (latestCalm != null && !measured.isEmpty()) {
            VerbPace beside = VerbPace.middle(measured);
            allBeside.add(beside);
            rounds.add(new Round(latestCalm, latestAsking == null ? latestCalm : latestAsking, beside));
        }
    }

    /** Verbs of others were not done within {@link Stopwatch#PATIENCE}. */
    void starved() {
        starved = true;
    }

    boolean isStarved() {
        return starved;
    }

    /** The heap has so many bytes more than before. */
    void heap(long moreBytes) {
        heapBytes.add((double) moreBytes);
    }

    /**
     * What is beyond its bound, or null.
     *
     * @param firm whether times are judged; else the heap alone
     * @param timing of the attack
     */
    @Nullable
    String excess(boolean firm, Timing timing) {
        if (starved) {
            return "verbs of others were not done within " + Stopwatch.PATIENCE.toSeconds() + " s";
        }
        if (rounds.isEmpty()) {
            return "nothing was measured";
        }
        String slow = firm ? slow(timing) : null;
        if (slow != null) {
            return slow;
        }
        for (double more : heapBytes) {
            if (more >= HEAP_BYTES) {
                return String.format(
                        Locale.ROOT, "the device domain's heap has %.0f KiB more after a collection", more / KIB);
            }
        }
        return null;
    }

    private @Nullable String slow(Timing timing) {
        double p99Limit = heapBytes.isEmpty() ? P99_BESIDE : P99_STOPPED;
        for (Act act : Act.values()) {
            double median = median(act);
            if (median > MEDIAN_LIMIT) {
                return beyond("median", act, median, MEDIAN_LIMIT);
            }
            double p99 = p99(act);
            if (timing == Timing.PERCENTILES && p99 > p99Limit && isNoChance(act)) {
                return beyond("p99", act, p99, p99Limit);
            }
        }
        return null;
    }

    /**
     * Calm moments differ among themselves, in the 99th percentile of a write by a factor of two, so what is beyond
     * a limit counts if chance would rarely make such a difference.
     */
    private boolean isNoChance(Act act) {
        return RankSum.score(p99s(allBeside, act), p99s(allCalm, act)) > RARE;
    }

    private static List<Long> p99s(List<VerbPace> paces, Act act) {
        return paces.stream().map(pace -> pace.of(act).p99Nanos()).toList();
    }

    private String beyond(String what, Act act, double ratio, double limit) {
        return String.format(
                Locale.ROOT,
                "%s of %s %.2f x of calm, middle of %d rounds, must be at most %.2f",
                what,
                act.text(),
                ratio,
                rounds.size(),
                limit);
    }

    private double median(Act act) {
        return middle(round -> round.median(act));
    }

    private double p99(Act act) {
        return middle(round -> round.p99(act));
    }

    /**
     * Of the rounds' ratios. What was measured in a stop has no calm moment each to be compared with: the middle of all
     * stops stands against the middle of the calm stretches before them, which are as long.
     */
    private double middle(ToDoubleFunction<Round> ratio) {
        if (!heapBytes.isEmpty()) {
            VerbPace calm = VerbPace.middle(allCalm);
            return ratio.applyAsDouble(new Round(calm, calm, VerbPace.middle(allBeside)));
        }
        return Percentiles.of(rounds.stream().map(ratio::applyAsDouble).toList())
                .median();
    }

    /** Such as {@code others' median/p99 over calm: create_qp 1.02/1.10, ... (3 rounds)}. */
    String words(boolean firm) {
        if (rounds.isEmpty()) {
            return "no rounds";
        }
        List<String> words = new ArrayList<>();
        for (Act act : Act.values()) {
            words.add(String.format(Locale.ROOT, "%s %.2f/%.2f", act.text(), median(act), p99(act)));
        }
        List<String> heap = heapBytes.stream()
                .map(more -> String.format(Locale.ROOT, "%+.0f", more / KIB))
                .toList();
        boolean asks = rounds.stream().anyMatch(round -> round.asking() != round.calm());
        return (asks ? "others' median over one who asks/p99 over calm: " : "others' median/p99 over calm: ")
                + String.join(", ", words)
                + " ("
                + rounds.size()
                + (firm ? " rounds)" : " rounds, not judged: a short run)")
                + (heap.isEmpty() ? "" : "; heap " + String.join(", ", heap) + " KiB");
    }
}
