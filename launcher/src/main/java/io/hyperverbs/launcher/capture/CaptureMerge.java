package io.hyperverbs.launcher.capture;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings records of several streams into one order of time: a record goes on when no stream can have an earlier one.
 * Who adds much waits for who takes. Any thread adds, one takes.
 */
final class CaptureMerge {
    /** A record with the number of its stream. */
    record Merged(int stream, CaptureRecord record) {}

    /** More than a chunk, so that a stream never waits for what its own next chunk says. */
    private static final long MOST_BYTES = 16L << 20;

    private final ArrayDeque<CaptureRecord>[] queues;
    private final long[] untilNanos;
    private final long[] bytes;
    private long endNanos = Long.MAX_VALUE;

    CaptureMerge(int streams) {
        this.queues = queues(streams);
        this.untilNanos = new long[streams];
        this.bytes = new long[streams];
        Arrays.fill(untilNanos, Long.MIN_VALUE);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of queues, all of one type.
    private static ArrayDeque<CaptureRecord>[] queues(int streams) {
        ArrayDeque[] queues = new ArrayDeque[streams];
        for (int i = 0; i < streams; i++) {
            queues[i] = new ArrayDeque<CaptureRecord>();
        }
        return queues;
    }

    /**
     * Adds to a stream.
     *
     * @param until all up to that time have been added with these; 0 if more may be there
     */
    synchronized void add(int stream, List<CaptureRecord> records, long until) {
        for (CaptureRecord record : records) {
            queues[stream].add(record);
            bytes[stream] += record.sizeBytes();
        }
        if (until != 0) {
            untilNanos[stream] = Math.max(untilNanos[stream], until);
        } else if (!records.isEmpty()) {
            untilNanos[stream] = Math.max(untilNanos[stream], records.getLast().timeNanos());
        }
        notifyAll();
    }

    /** Waits until streams that one thread adds to, and that begin with {@code first}, have room. */
    synchronized void awaitRoom(int first, int count) throws InterruptedException {
        while (endNanos == Long.MAX_VALUE
                && Arrays.stream(bytes, first, first + count).sum() > MOST_BYTES) {
            wait();
        }
    }

    /** Nothing more comes to that stream. */
    synchronized void end(int stream) {
        untilNanos[stream] = Long.MAX_VALUE;
        notifyAll();
    }

    /** What is later than that is not of interest; earlier ends stay. */
    synchronized void endAt(long nanos) {
        endNanos = Math.min(endNanos, nanos);
        notifyAll();
    }

    /** Nothing more can be taken: all streams have ended, or have passed the end. */
    synchronized boolean isOver() {
        if (ready() >= 0) {
            return false;
        }
        for (int i = 0; i < queues.length; i++) {
            boolean isPast = untilNanos[i] >= endNanos || untilNanos[i] == Long.MAX_VALUE;
            if (!isPast) {
                return false;
            }
        }
        return true;
    }

    /** Takes the next record; null if there is none for so long, or {@link #isOver}. */
    synchronized @Nullable Merged take(long waitMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        int first = ready();
        while (first < 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0 || isOver()) {
                return null;
            }
            wait(left);
            first = ready();
        }
        CaptureRecord record = queues[first].remove();
        bytes[first] -= record.sizeBytes();
        notifyAll();
        return new Merged(first, record);
    }

    /** The stream whose first record is next, or -1. */
    private int ready() {
        int first = -1;
        long earliest = endNanos;
        for (int i = 0; i < queues.length; i++) {
            CaptureRecord head = queues[i].peek();
            if (head != null && head.timeNanos() <= earliest && (first < 0 || head.timeNanos() < earliest)) {
                first = i;
                earliest = head.timeNanos();
            }
        }
        for (int i = 0; first >= 0 && i < queues.length; i++) {
            if (queues[i].isEmpty() && untilNanos[i] < earliest) {
                return -1;
            }
        }
        return first;
    }
}
