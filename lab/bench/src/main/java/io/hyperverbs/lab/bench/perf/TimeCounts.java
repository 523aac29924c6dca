package io.hyperverbs.lab.bench.perf;

import java.util.StringJoiner;

/**
 * How many times were how long, for more of them than there is memory for: counted by length, each to within 1.6 %, but
 * for count, least, most, mean and deviation, which are exact. Recording allocates nothing. One thread.
 */
public final class TimeCounts {
    /** Shorter times have a count each, from there on 32 share a power of two. */
    private static final int EXACT_BITS = 6;

    private static final int EXACT = 1 << EXACT_BITS;
    private static final int SHARED_BITS = EXACT_BITS - 1;
    private static final int SHARED = 1 << SHARED_BITS;

    /** A quarter of an hour; what is longer counts as that. */
    private static final int LONGEST_BITS = 40;

    private final int[] counts = new int[EXACT + (LONGEST_BITS - EXACT_BITS) * SHARED];
    private long count;
    private long least = Long.MAX_VALUE;
    private long most;
    private double sum;
    private double squares;

    /**
     * One more.
     *
     * @param nanos from 0
     */
    public void record(long nanos) {
        counts[at(nanos)]++;
        count++;
        least = Math.min(least, nanos);
        most = Math.max(most, nanos);
        sum += nanos;
        squares += (double) nanos * nanos;
    }

    private static int at(long nanos) {
        if (nanos < EXACT) {
            return (int) nanos;
        }
        int power = Math.min(Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos), LONGEST_BITS - 1);
        int part = (int) Math.min(nanos >>> (power - SHARED_BITS), 2 * SHARED - 1) - SHARED;
        return EXACT + (power - EXACT_BITS) * SHARED + part;
    }

    /** The middle of what is counted there. */
    private static long middle(int at) {
        if (at < EXACT) {
            return at;
        }
        int power = EXACT_BITS + (at - EXACT) / SHARED;
        int part = (at - EXACT) % SHARED;
        long width = 1L << (power - SHARED_BITS);
        return (SHARED + part) * width + width / 2;
    }

    /** Those of another one too. */
    public void add(TimeCounts other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        least = Math.min(least, other.least);
        most = Math.max(most, other.most);
        sum += other.sum;
        squares += other.squares;
    }

    public long count() {
        return count;
    }

    /** Microseconds, as all that follow; of none that are recorded it is 0. */
    public double least() {
        return count == 0 ? 0 : least / 1e3;
    }

    public double most() {
        return most / 1e3;
    }

    public double mean() {
        return count == 0 ? 0 : sum / count / 1e3;
    }

    /** Of all of them, not truncated. */
    public double deviation() {
        double mean = mean() * 1e3;
        return count == 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) / 1e3;
    }

    /**
     * The time that so many do not exceed.
     *
     * @param share above 0, at most 1
     */
    public double quantile(double share) {
        long wanted = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted && seen > 0) {
                return Math.clamp(middle(i), least, most) / 1e3;
            }
        }
        return 0;
    }

    /** One word; {@link #parse} reads it back. */
    public String format() {
        StringJoiner word = new StringJoiner(",");
        word.add(Long.toString(least)).add(Long.toString(most));
        word.add(Double.toString(sum)).add(Double.toString(squares));
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                word.add(i + ":" + counts[i]);
            }
        }
        return word.toString();
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static TimeCounts parse(String word) {
        String[] parts = word.split(",", -1);
        if (parts.length < 4) {
            throw new IllegalArgumentException("not counts of times: " + word);
        }
        TimeCounts read = new TimeCounts();
        read.least = Long.parseLong(parts[0]);
        read.most = Long.parseLong(parts[1]);
        read.sum = Double.parseDouble(parts[2]);
        read.squares = Double.parseDouble(parts[3]);
        for (int i = 4; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            int at = Integer.parseInt(parts[i], 0, Math.max(0, colon), 10);
            if (at >= read.counts.length) {
                throw new IllegalArgumentException("no time is counted at " + at);
            }
            read.counts[at] = Integer.parseInt(parts[i].substring(colon + 1));
            read.count += read.counts[at];
        }
        return read;
    }
}
