package io.hyperverbs.lab.run.soak;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * What a trusted process holds.
 *
 * @param process what people call it
 * @param heapBytes live objects
 * @param threads how many of each name, without its numbers; those of elastic pools left out
 * @param descriptors open ones; empty where only root may count them
 */
public record Holding(String process, long heapBytes, Map<String, Long> threads, OptionalLong descriptors) {
    /** So many per cent of the heap may come and go. */
    private static final long HEAP_PERCENT = 5;

    public Holding {
        threads = Map.copyOf(threads);
    }

    /** All its threads. */
    public long threadCount() {
        return threads.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether threads and descriptors are those of {@code before}. */
    boolean countsAs(Holding before) {
        return counts(before).isEmpty();
    }

    private String counts(Holding before) {
        StringJoiner changed = new StringJoiner(", ");
        TreeSet<String> names = new TreeSet<>(threads.keySet());
        names.addAll(before.threads.keySet());
        for (String name : names) {
            long was = before.threads.getOrDefault(name, 0L);
            long is = threads.getOrDefault(name, 0L);
            if (was != is) {
                changed.add("threads " + name + " from " + was + " to " + is);
            }
        }
        if (!descriptors.equals(before.descriptors)) {
            changed.add("descriptors from " + before.descriptors.orElse(0) + " to " + descriptors.orElse(0));
        }
        return changed.toString();
    }

    /** What is held otherwise than {@code before}; empty if nothing is. */
    Optional<String> changed(Holding before) {
        StringJoiner changed = new StringJoiner(", ");
        String counts = counts(before);
        if (!counts.isEmpty()) {
            changed.add(counts);
        }
        if (100 * Math.abs(heapBytes - before.heapBytes) > HEAP_PERCENT * before.heapBytes) {
            changed.add(String.format(Locale.ROOT, "live objects from %d to %d bytes", before.heapBytes, heapBytes));
        }
        return changed.length() == 0 ? Optional.empty() : Optional.of(process + ": " + changed);
    }

    /** 0.01 for one per cent more than {@code before}. */
    double heapChange(Holding before) {
        return (double) heapBytes / Math.max(1, before.heapBytes) - 1;
    }
}
