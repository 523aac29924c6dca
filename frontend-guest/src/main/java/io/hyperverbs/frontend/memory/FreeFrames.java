package io.hyperverbs.frontend.memory;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The free frames of one extent, as runs that never touch each other. One thread at a time. */
final class FreeFrames {
    private final TreeMap<Long, Long> runs = new TreeMap<>();

    /** All of {@code frames} are free. */
    FreeFrames(long frames) {
        runs.put(0L, frames);
    }

    /** Takes the first run that is long enough; the first frame of it, or -1. */
    long take(long frames) {
        Map.Entry<Long, Long> run = firstFit(frames);
        if (run == null) {
            return -1;
        }
        long first = run.getKey();
        long length = run.getValue();
        runs.remove(first);
        if (length > frames) {
            runs.put(first + frames, length - frames);
        }
        return first;
    }

    /** Gives taken frames back and joins them with free neighbours. */
    void give(long first, long frames) {
        long start = first;
        long length = frames;
        Map.Entry<Long, Long> before = runs.lowerEntry(first);
        if (before != null && before.getKey() + before.getValue() == first) {
            start = before.getKey();
            length += before.getValue();
        }
        Long after = runs.remove(first + frames);
        if (after != null) {
            length += after;
        }
        runs.put(start, length);
    }

    /** How many runs the free frames lie in: 1 when nothing is taken. */
    int runCount() {
        return runs.size();
    }

    long freeFrames() {
        long sum = 0;
        for (long length : runs.values()) {
            sum += length;
        }
        return sum;
    }

    private Map.@Nullable Entry<Long, Long> firstFit(long frames) {
        for (Map.Entry<Long, Long> run : runs.entrySet()) {
            if (run.getValue() >= frames) {
                return run;
            }
        }
        return null;
    }
}
