package io.hyperverbs.lab.mpi;

import io.hyperverbs.upper.mpi.progress.LongTransfer;
import io.hyperverbs.verbs.VerbsException;
import java.util.Arrays;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;

/**
 * {@code mpi-perf lines WHAT MILLIS SIZES}: the same figures once, a line each, for programs. WHAT is {@code messages},
 * for two ranks, or of them {@code trips} or {@code streams} alone, {@code operations} of all ranks, or {@code all}. All
 * is done before, in short, for 25 times MILLIS: the code of a job is new in its process.
 */
final class PerfLines {
    private static final double WARM_UP_SECONDS = 0.025;

    /** Of a figure, while it warms up. */
    private static final int WARM_MILLIS = 5;

    private static final int LEAST_STREAM_BYTES = 1024;

    /** Longer messages are offered first. */
    private static final int MOST_EAGER_BYTES = 16 << 10;

    private static final int MOST_OPERATION_BYTES = 64 << 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final int RATE_WINDOW = 64;
    private static final double THOUSAND = 1e3;
    private static final String ALL = "all";
    private static final String OPERATIONS = "operations";

    /** Half trips alone, and streams alone, of messages and of the verbs that they are compared with. */
    private static final String TRIPS = "trips";

    private static final String STREAMS = "streams";
    private static final List<String> WORDS = List.of(ALL, "messages", TRIPS, STREAMS, OPERATIONS);

    private final String what;
    private final int millis;
    private final List<Integer> sizes;
    private boolean isCounted;

    private PerfLines(String what, int millis, List<Integer> sizes) {
        this.what = what;
        this.millis = millis;
        this.sizes = sizes;
    }

    /**
     * What is asked for.
     *
     * @throws IllegalArgumentException with the reason, in one line
     */
    static PerfLines of(String[] args) {
        String usage = "usage: mpi-perf [lines all|messages|trips|streams|operations MILLIS SIZE,...]";
        boolean known = args.length == 4
                && args[0].equals("lines")
                && WORDS.contains(args[1])
                && args[2].matches("[1-9][0-9]{0,4}")
                && args[3].matches("[0-9]{1,7}(,[0-9]{1,7})*");
        if (!known) {
            throw new IllegalArgumentException(usage);
        }
        List<Integer> sizes =
                Arrays.stream(args[3].split(",")).map(Integer::valueOf).toList();
        if (sizes.stream().anyMatch(size -> size > MOST_BYTES)) {
            throw new IllegalArgumentException("sizes are " + MOST_BYTES + " at most");
        }
        return new PerfLines(args[1], Integer.parseInt(args[2]), sizes);
    }

    /** Whether only two ranks can do it. */
    boolean isForTwo() {
        return !what.equals(OPERATIONS);
    }

    void run(VerbsPair verbs) throws MPIException, VerbsException {
        Object[] sent = buffers(MessageTimes.WINDOW, MOST_BYTES);
        Object[] received = buffers(MessageTimes.WINDOW, MOST_BYTES);
        Object[] small = buffers(RATE_WINDOW, LEAST_STREAM_BYTES);
        measure(rounds -> {
            messages(new MessageTimes(verbs, rounds), sent, received, small);
            if (what.equals(ALL)) {
                operations(new CollectiveTimes(rounds));
            }
        });
    }

    /** Operations alone, if nothing else is asked for. */
    void run() throws MPIException, VerbsException {
        measure(rounds -> operations(new CollectiveTimes(rounds)));
    }

    /** All figures once. */
    private interface Figures {
        void measure(TimedRounds rounds) throws MPIException, VerbsException;
    }

    private void measure(Figures figures) throws MPIException, VerbsException {
        double start = MPI.wtime();
        do {
            figures.measure(new TimedRounds(MPI.COMM_WORLD, Math.min(millis, WARM_MILLIS)));
        } while (!isWarm(start));
        isCounted = true;
        figures.measure(new TimedRounds(MPI.COMM_WORLD, millis));
    }

    /** Rank 0 says it for all. */
    private boolean isWarm(double start) throws MPIException {
        int[] warm = {MPI.wtime() - start > millis * WARM_UP_SECONDS ? 1 : 0};
        MPI.COMM_WORLD.bcast(warm, 1, MPI.INT, 0);
        return warm[0] == 1;
    }

    private static Object[] buffers(int count, int bytes) throws MPIException {
        Object[] buffers = new Object[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = MPI.newByteBuffer(bytes);
        }
        return buffers;
    }

    private void messages(MessageTimes times, Object[] sent, Object[] received, Object[] small)
            throws MPIException, VerbsException {
        if (!what.equals(STREAMS)) {
            trips(times, sent[0]);
        }
        if (!what.equals(TRIPS)) {
            streams(times, sent, received, small);
        }
    }

    /** Whether messages are measured in other ways too than those that verbs have. */
    private boolean isWide() {
        return !what.equals(TRIPS) && !what.equals(STREAMS);
    }

    private void trips(MessageTimes times, Object sent) throws MPIException, VerbsException {
        for (int bytes : sizes) {
            say(PerfLine.HALF_TRIP, bytes, times.halfTrip(bytes, sent));
            say(PerfLine.SEND_HALF_TRIP, bytes, times.verbsHalfTrip(bytes));
            if (isWide() && bytes > MOST_EAGER_BYTES) {
                say(PerfLine.HALF_TRIP_BY_WRITES, bytes, byWrites(() -> times.halfTrip(bytes, sent)));
            }
        }
    }

    private void streams(MessageTimes times, Object[] sent, Object[] received, Object[] small)
            throws MPIException, VerbsException {
        for (int bytes : sizes) {
            if (bytes >= LEAST_STREAM_BYTES) {
                say(PerfLine.BANDWIDTH, bytes, times.bandwidth(bytes, sent));
                say(PerfLine.WRITE_BANDWIDTH, bytes, times.verbsBandwidth(bytes));
            }
            if (isWide() && bytes >= LEAST_STREAM_BYTES) {
                if (bytes > MOST_EAGER_BYTES) {
                    say(PerfLine.BANDWIDTH_BY_WRITES, bytes, byWrites(() -> times.bandwidth(bytes, sent)));
                }
                say(PerfLine.BOTH_WAYS, bytes, times.bothWays(bytes, sent, received));
            }
            if (isWide() && bytes > 0 && bytes <= LEAST_STREAM_BYTES) {
                say(PerfLine.RATE, bytes, times.rate(bytes, small) / THOUSAND);
            }
        }
    }

    private interface Figure {
        double measure() throws MPIException, VerbsException;
    }

    /** With messages that their senders write into the receivers' buffers. */
    private static double byWrites(Figure figure) throws MPIException, VerbsException {
        LongTransfer.choose(LongTransfer.WRITE);
        try {
            return figure.measure();
        } finally {
            LongTransfer.choose(LongTransfer.READ);
        }
    }

    private void operations(CollectiveTimes times) throws MPIException, VerbsException {
        say(PerfLine.BARRIER, 0, times.barrier());
        for (int bytes : sizes) {
            if (bytes > 0 && bytes % Double.BYTES == 0 && bytes <= MOST_OPERATION_BYTES) {
                say(PerfLine.BCAST, bytes, times.bcast(bytes));
                say(PerfLine.ALL_REDUCE, bytes, times.allReduce(bytes));
                say(PerfLine.ALL_TO_ALL, bytes, times.allToAll(bytes));
            }
        }
    }

    private void say(String figure, int bytes, double value) throws MPIException {
        if (isCounted && MPI.COMM_WORLD.getRank() == 0) {
            System.out.println(new PerfLine(figure, bytes, value).text());
        }
    }
}
