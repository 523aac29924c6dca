package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpType;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What one side of a row of {@code hv bench lat} or {@code bw} does, as the toolstack writes it into the store.
 *
 * @param session number that both sides know each other's keys by
 * @param active whether this side begins and is timed
 * @param latency one message in flight, each timed; otherwise as many as fit, timed together
 * @param iterations messages that are timed, on each queue pair; not counted if {@code seconds} is above 0
 * @param warmUpMillis how long messages go before those
 */
public record PerfRound(
        int session,
        boolean active,
        boolean latency,
        BenchVerb verb,
        QpType transport,
        DataPathKind path,
        int sizeBytes,
        int iterations,
        int seconds,
        int warmUpMillis,
        PerfQueues queues,
        Set<PerfFlag> flags) {
    /** Samples of a latency row are kept until its end, 8 bytes each; a row that lasts by {@code seconds} ends here too. */
    public static final int MOST_SAMPLES = 1_000_000;

    public PerfRound {
        flags = Set.copyOf(flags);
    }

    /** The same round, for one of its sides. */
    public PerfRound side(boolean activeSide) {
        return new PerfRound(
                session,
                activeSide,
                latency,
                verb,
                transport,
                path,
                sizeBytes,
                iterations,
                seconds,
                warmUpMillis,
                queues,
                flags);
    }

    boolean has(PerfFlag flag) {
        return flags.contains(flag);
    }

    /** Whether this side posts the verb in a bandwidth round. */
    boolean requests() {
        return active || has(PerfFlag.BIDIRECTIONAL);
    }

    /** Whether this side needs receives posted. */
    boolean receives() {
        return verb == BenchVerb.SEND && (latency || !active || has(PerfFlag.BIDIRECTIONAL));
    }

    /** One line; {@link #parse} reads it back. */
    public String format() {
        StringJoiner line = new StringJoiner(" ");
        line.add(Integer.toString(session)).add(active ? "active" : "passive").add(latency ? "lat" : "bw");
        line.add(verb.name()).add(transport.name()).add(path.name());
        int[] numbers = {
            sizeBytes,
            iterations,
            seconds,
            warmUpMillis,
            queues.queuePairs(),
            queues.txDepth(),
            queues.rxDepth(),
            queues.postList(),
            queues.cqModeration(),
            queues.inlineBytes()
        };
        for (int number : numbers) {
            line.add(Integer.toString(number));
        }
        flags.forEach(flag -> line.add(flag.name()));
        return line.toString();
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static PerfRound parse(String line) {
        String[] words = line.strip().split(" ", -1);
        if (words.length < 16) {
            throw new IllegalArgumentException("round of " + words.length + " words: " + line);
        }
        int[] numbers = new int[10];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Integer.parseInt(words[6 + i]);
        }
        EnumSet<PerfFlag> flags = EnumSet.noneOf(PerfFlag.class);
        for (int i = 16; i < words.length; i++) {
            flags.add(PerfFlag.valueOf(words[i]));
        }
        return new PerfRound(
                Integer.parseInt(words[0]),
                words[1].equals("active"),
                words[2].equals("lat"),
                BenchVerb.valueOf(words[3]),
                QpType.valueOf(words[4]),
                DataPathKind.valueOf(words[5]),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                new PerfQueues(numbers[4], numbers[5], numbers[6], numbers[7], numbers[8], numbers[9]),
                flags);
    }
}
