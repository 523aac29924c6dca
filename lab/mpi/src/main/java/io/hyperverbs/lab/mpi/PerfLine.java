package io.hyperverbs.lab.mpi;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One figure as {@code mpi-perf lines} prints it: {@code mpi-perf: half trip, us: 8: 2.345}.
 *
 * @param what with its unit
 * @param bytes of a message, or between two ranks of an operation
 */
public record PerfLine(String what, int bytes, double value) {
    public static final String HALF_TRIP = "half trip, us";
    public static final String SEND_HALF_TRIP = "half trip by SEND, us";

    /** Of long messages that their senders write into the receivers' buffers. */
    public static final String HALF_TRIP_BY_WRITES = "half trip by writes, us";

    public static final String BANDWIDTH_BY_WRITES = "bandwidth by writes, MiB/s";
    public static final String BANDWIDTH = "bandwidth, MiB/s";
    public static final String WRITE_BANDWIDTH = "RDMA write, MiB/s";
    public static final String BOTH_WAYS = "both ways, MiB/s";
    public static final String RATE = "messages, 1000/s";
    public static final String BARRIER = "barrier, us";
    public static final String BCAST = "bcast, us";
    public static final String ALL_REDUCE = "allReduce, us";
    public static final String ALL_TO_ALL = "allToAll, us";

    private static final Pattern LINE = Pattern.compile("mpi-perf: ([^:]+): ([0-9]{1,9}): ([0-9]{1,12}\\.[0-9]{1,6})");

    /** As it is printed. */
    public String text() {
        return String.format(Locale.ROOT, "mpi-perf: %s: %d: %.3f", what, bytes, value);
    }

    /** What a line says, if it is one. */
    public static Optional<PerfLine> of(String line) {
        Matcher found = LINE.matcher(line.strip());
        return found.matches()
                ? Optional.of(new PerfLine(
                        found.group(1), Integer.parseInt(found.group(2)), Double.parseDouble(found.group(3))))
                : Optional.empty();
    }
}
