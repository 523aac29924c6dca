package io.hyperverbs.lab.run.perf;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.bench.perf.PerfRound;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.floor.Floor;
import io.hyperverbs.lab.run.floor.FloorCell;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.QpType;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What rows of perftest are measured: each size on each path.
 *
 * @param latency one message in flight, or as many as fit
 * @param iterations messages of a row, on each queue pair
 * @param seconds of a row instead; 0 for iterations
 * @param queues with moderation 0 where that goes by the size
 * @param gbits bandwidth in Gb/sec rather than MiB/sec
 */
public record PerfPlan(
        boolean latency,
        BenchVerb verb,
        QpType transport,
        List<Integer> sizesBytes,
        List<MeasuredPath> paths,
        int iterations,
        int seconds,
        PerfQueues queues,
        Set<PerfFlag> flags,
        boolean gbits) {
    public static final int ITERATIONS = 1000;
    public static final int LEAST_ITERATIONS = 5;
    public static final int MOST_SECONDS = 300;
    public static final int MOST_QUEUE_PAIRS = 128;
    public static final int MOST_DEPTH = 1 << 14;
    public static final int RX_DEPTH = 512;
    public static final int MOST_INLINE = QueueGeometry.MAX_INLINE_BYTES;

    private static final int LARGEST_BITS = 23;
    private static final int WARM_UP_MILLIS = 300;
    private static final int TX_DEPTH = 128;

    /** Above so many messages perftest has no peak either: it looks at each pair of them. */
    private static final int MOST_FOR_PEAK = 20_000;

    private static final int MODERATION = 100;
    private static final int MODERATED_BYTES = 8192;

    public PerfPlan {
        sizesBytes = List.copyOf(sizesBytes);
        paths = List.copyOf(paths);
        flags = Set.copyOf(flags);
    }

    /** Sends outstanding on each queue pair where nothing is said. */
    public static int txDepth(boolean latency) {
        return latency ? 1 : TX_DEPTH;
    }

    /** The largest message of a transport: a datagram is one packet. */
    public static int largestBytes(QpType transport) {
        return transport == QpType.UD ? HcaLimits.standard().mtuBytes() : 1 << LARGEST_BITS;
    }

    /** The size where none is given. */
    public static List<Integer> standardSizes(boolean latency, BenchVerb verb, QpType transport) {
        if (verb == BenchVerb.FETCH_ADD) {
            return List.of(Long.BYTES);
        }
        return List.of(latency ? 2 : Math.min(1 << 16, largestBytes(transport)));
    }

    /** Powers of two from 2 to the largest message. */
    public static List<Integer> allSizes(QpType transport) {
        return IntStream.rangeClosed(1, LARGEST_BITS)
                .map(bits -> 1 << bits)
                .filter(size -> size <= largestBytes(transport))
                .boxed()
                .toList();
    }

    /**
     * @throws HvException USAGE if the queues cannot be, or the numbers do not fit each other
     */
    public void check() throws HvException {
        int most = HcaLimits.standard().maxCqe();
        if (queues.queuePairs() * queues.txDepth() > most) {
            throw PerfRules.usage(
                    "-q " + queues.queuePairs() + " -t " + queues.txDepth() + " need more than " + most + " CQEs", "");
        }
        int receiveQueues = flags.contains(PerfFlag.SRQ) ? 1 : queues.queuePairs();
        if (receiveQueues * queues.rxDepth() > most) {
            throw PerfRules.usage(
                    "-q " + queues.queuePairs() + " -r " + queues.rxDepth() + " need more than " + most + " CQEs", "");
        }
        if (queues.postList() > queues.txDepth()) {
            throw PerfRules.usage("-l " + queues.postList() + " is more than -t " + queues.txDepth(), "");
        }
        if (queues.cqModeration() > queues.txDepth()) {
            throw PerfRules.usage("-Q " + queues.cqModeration() + " is more than -t " + queues.txDepth(), "");
        }
    }

    /** Options that say what a row is, beside its size and path: rows with others are not compared. */
    public String options() {
        StringBuilder words = new StringBuilder(String.format(
                Locale.ROOT,
                "--verb %s -c %s -q %d -t %d -r %d -l %d -Q %d -I %d",
                verb == BenchVerb.FETCH_ADD ? "atomic" : verb.word(),
                transport,
                queues.queuePairs(),
                queues.txDepth(),
                queues.rxDepth(),
                queues.postList(),
                queues.cqModeration(),
                queues.inlineBytes()));
        append(words, PerfFlag.EVENTS, " -e");
        append(words, PerfFlag.BIDIRECTIONAL, " -b");
        append(words, PerfFlag.SRQ, " --use-srq");
        return words.toString();
    }

    private void append(StringBuilder words, PerfFlag flag, String option) {
        if (flags.contains(flag)) {
            words.append(option);
        }
    }

    /** Times of a ping-pong span two messages; half is reported. */
    double divisor() {
        return verb == BenchVerb.SEND || verb == BenchVerb.WRITE ? 2 : 1;
    }

    /** Threads that poll while a row is measured: programs that do not sleep, and the engine. */
    public int pollers() {
        if (flags.contains(PerfFlag.EVENTS)) {
            return 1;
        }
        boolean bothPoll = latency ? divisor() > 1 : receiversPoll() || flags.contains(PerfFlag.BIDIRECTIONAL);
        return bothPoll ? 3 : 2;
    }

    /** The stream beside a row of that size; empty where nothing without an HCA does the same. */
    public Optional<FloorCell> floor(int sizeBytes) {
        boolean hasNone = latency
                || verb == BenchVerb.FETCH_ADD
                || flags.contains(PerfFlag.BIDIRECTIONAL)
                || flags.contains(PerfFlag.EVENTS);
        if (hasNone) {
            return Optional.empty();
        }
        int outstanding = Math.min(queues.queuePairs() * queues.txDepth(), FloorCell.MOST_OUTSTANDING);
        return Optional.of(new FloorCell(
                verb == BenchVerb.SEND ? Floor.SENDS : Floor.WRITES,
                sizeBytes,
                Math.min(queues.postList(), outstanding),
                outstanding));
    }

    /** The same plan, with rows of seconds. */
    public PerfPlan lasting(int rowSeconds) {
        return new PerfPlan(latency, verb, transport, sizesBytes, paths, iterations, rowSeconds, queues, flags, gbits)
                .withPeakIfFew();
    }

    /** The same plan, with the short rows that warm up a machine. */
    PerfPlan warmUp() {
        return new PerfPlan(
                latency, verb, transport, sizesBytes, paths, Math.min(iterations, ITERATIONS), 0, queues, flags, gbits);
    }

    /** Whether who receives messages polls for them. */
    public boolean receiversPoll() {
        return verb == BenchVerb.SEND;
    }

    /** One row, as its active side does it. */
    PerfRound round(int session, MeasuredPath path, int sizeBytes) {
        return round(session, path, sizeBytes, latency);
    }

    /** The same as a stream of messages, whose depth is 1 if latency is measured. */
    PerfRound stream(int session, MeasuredPath path, int sizeBytes) {
        return round(session, path, sizeBytes, false);
    }

    private PerfRound round(int session, MeasuredPath path, int sizeBytes, boolean asLatency) {
        PerfQueues asked = queues;
        int moderation = asked.cqModeration();
        if (moderation == 0) {
            int standard = asked.postList() > 1 ? asked.postList() : sizeBytes > MODERATED_BYTES ? 1 : MODERATION;
            moderation = Math.min(standard, asked.txDepth());
        }
        PerfQueues whole = new PerfQueues(
                asked.queuePairs(),
                asked.txDepth(),
                asked.rxDepth(),
                asked.postList(),
                moderation,
                asked.inlineBytes());
        return new PerfRound(
                session,
                true,
                asLatency,
                verb,
                transport,
                path.dataPath(),
                sizeBytes,
                iterations,
                seconds,
                WARM_UP_MILLIS,
                whole,
                flags);
    }

    /** The same plan; without a peak where perftest has none. */
    public PerfPlan withPeakIfFew() {
        boolean many = seconds > 0 || (long) iterations * queues.queuePairs() > MOST_FOR_PEAK;
        if (!many || flags.contains(PerfFlag.NO_PEAK)) {
            return this;
        }
        Set<PerfFlag> without = new HashSet<>(flags);
        without.add(PerfFlag.NO_PEAK);
        return new PerfPlan(latency, verb, transport, sizesBytes, paths, iterations, seconds, queues, without, gbits);
    }
}
