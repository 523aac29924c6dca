package io.hyperverbs.lab.attacks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** How long verbs of a guest took at one moment, as a line in the store. */
public final class VerbPace {
    /** What is timed. */
    public enum Act {
        /** Creating a queue pair with its ring: control verbs. */
        CREATE_QP,
        /** Registering a page: a control verb. */
        REG_MR,
        /** A write of 64 bytes, from post to completion: the data path. */
        WRITE;

        /** In reports. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Median and 99th percentile. */
    public record Times(long medianNanos, long p99Nanos) {
        /** Of these samples, which are sorted. */
        static Times of(long... samples) {
            Arrays.sort(samples);
            return new Times(samples[samples.length / 2], samples[Math.ceilDiv(99 * samples.length, 100) - 1]);
        }
    }

    private final Map<Act, Times> times;

    private VerbPace(Map<Act, Times> times) {
        this.times = new EnumMap<>(times);
    }

    static VerbPace of(Map<Act, Times> times) {
        return new VerbPace(times);
    }

    /** Key of the tool that asks for the n-th measurement. */
    public static String ask(int n) {
        return "isolate/ask/" + n;
    }

    /** Key of the stopwatch that tells of it. */
    public static String told(int n) {
        return "isolate/pace/" + n;
    }

    public Times of(Act act) {
        return Objects.requireNonNull(times.get(act), "times");
    }

    /**
     * Of each act the middle median and the middle percentile of several measurements.
     *
     * @param paces at least one
     */
    public static VerbPace middle(List<VerbPace> paces) {
        Map<Act, Times> times = new EnumMap<>(Act.class);
        for (Act act : Act.values()) {
            times.put(act, new Times(middle(paces, act, Times::medianNanos), middle(paces, act, Times::p99Nanos)));
        }
        return new VerbPace(times);
    }

    private static long middle(List<VerbPace> paces, Act act, ToLongFunction<Times> part) {
        long[] sorted = paces.stream()
                .map(pace -> pace.of(act))
                .mapToLong(part)
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    String format() {
        List<String> words = new ArrayList<>();
        for (Act act : Act.values()) {
            words.add(of(act).medianNanos() + " " + of(act).p99Nanos());
        }
        return String.join(" ", words);
    }

    /** The reverse of {@link #format}. */
    public static VerbPace parse(String line) {
        String[] words = line.split(" ", -1);
        Map<Act, Times> times = new EnumMap<>(Act.class);
        int at = 0;
        for (Act act : Act.values()) {
            times.put(act, new Times(Long.parseLong(words[at++]), Long.parseLong(words[at++])));
        }
        return new VerbPace(times);
    }
}
