package io.hyperverbs.hca.link;

import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What happens to packets that come over a link. Shares are parts of a billion, of each packet by itself. {@link #with}
 * reads them in the words of topologies, {@link #words} gives them back. Immutable.
 *
 * @param isDown all packets are lost
 * @param loss share that is lost
 * @param duplicate share that comes twice
 * @param corrupt share that has one bit flipped
 * @param reorder share that is held back for a while, so that those behind overtake it
 * @param delayNanos how long each takes
 * @param jitterNanos how much more or less, drawn evenly; none overtakes another by it
 * @param queue the link's queue, before its delay
 * @param seed of all that is drawn; each link has a stream of its own
 */
public record LinkSettings(
        boolean isDown,
        int loss,
        int duplicate,
        int corrupt,
        int reorder,
        long delayNanos,
        long jitterNanos,
        QueueSettings queue,
        long seed) {
    private static final long MOST_NANOS = 60_000_000_000L;
    private static final LinkSettings NONE = new LinkSettings(false, 0, 0, 0, 0, 0, 0, QueueSettings.none(), 0);

    public LinkSettings {
        if (delayNanos > MOST_NANOS || jitterNanos > MOST_NANOS) {
            throw new IllegalArgumentException("delay and jitter: at most " + Quantity.TIME.format(MOST_NANOS));
        }
    }

    /** A link that does what it should. */
    public static LinkSettings none() {
        return NONE;
    }

    /** Whether packets come over it as they were sent. */
    public boolean isNone() {
        return equals(new LinkSettings(false, 0, 0, 0, 0, 0, 0, QueueSettings.none(), seed));
    }

    /** Whether it has nothing but a queue: all that a port as a whole can have. */
    public boolean isQueueAlone() {
        return equals(new LinkSettings(false, 0, 0, 0, 0, 0, 0, queue, seed));
    }

    /**
     * Reads what {@link #text} gives.
     *
     * @throws IllegalArgumentException what is wrong with it, and what is allowed
     */
    public static LinkSettings of(String text) {
        return text.equals(LinkWords.NONE) ? NONE : NONE.with(LinkWords.split(text));
    }

    /**
     * These with some changed: {@code loss: 0.1%}, {@code delay: 10us}; {@code none} takes one away.
     *
     * @throws IllegalArgumentException what is wrong with them, and what is allowed
     */
    public LinkSettings with(Map<String, String> changes) {
        return LinkWords.apply(this, changes);
    }

    /**
     * What {@code hv link} and the faults of a topology make of these: {@code down} and {@code up} keep the rest, all
     * else replaces them, as {@link #of} reads it.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public LinkSettings changed(String words) {
        return switch (words.strip()) {
            case LinkWords.DOWN -> with(Map.of(LinkWords.DOWN, "true"));
            case LinkWords.UP -> with(Map.of(LinkWords.DOWN, "false"));
            default -> of(words.strip());
        };
    }

    /** All that is not as on a link that does what it should, in the order of topologies. */
    public Map<String, String> words() {
        return LinkWords.of(this);
    }

    /** As {@code loss=0.1% delay=10us}, or {@code none}. */
    public String text() {
        Map<String, String> words = words();
        return words.isEmpty()
                ? LinkWords.NONE
                : words.entrySet().stream()
                        .map(word -> word.getKey() + "=" + word.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** Those of an entry of the HCA's context memory. */
    public static LinkSettings read(MemorySegment memory, long entry) {
        return new LinkSettings(
                LinkContextLayout.get(memory, entry, Field.DOWN) != 0,
                (int) LinkContextLayout.get(memory, entry, Field.LOSS),
                (int) LinkContextLayout.get(memory, entry, Field.DUPLICATE),
                (int) LinkContextLayout.get(memory, entry, Field.CORRUPT),
                (int) LinkContextLayout.get(memory, entry, Field.REORDER),
                LinkContextLayout.get(memory, entry, Field.DELAY_NANOS),
                LinkContextLayout.get(memory, entry, Field.JITTER_NANOS),
                new QueueSettings(
                        LinkContextLayout.get(memory, entry, Field.BITS_PER_SECOND),
                        LinkContextLayout.get(memory, entry, Field.LIMIT_BYTES),
                        LinkContextLayout.get(memory, entry, Field.MARK_FROM_BYTES),
                        LinkContextLayout.get(memory, entry, Field.MARK_TO_BYTES)),
                LinkContextLayout.get(memory, entry, Field.SEED));
    }

    void write(MemorySegment memory, long entry) {
        LinkContextLayout.set(memory, entry, Field.DOWN, isDown ? 1 : 0);
        LinkContextLayout.set(memory, entry, Field.LOSS, loss);
        LinkContextLayout.set(memory, entry, Field.DUPLICATE, duplicate);
        LinkContextLayout.set(memory, entry, Field.CORRUPT, corrupt);
        LinkContextLayout.set(memory, entry, Field.REORDER, reorder);
        LinkContextLayout.set(memory, entry, Field.DELAY_NANOS, delayNanos);
        LinkContextLayout.set(memory, entry, Field.JITTER_NANOS, jitterNanos);
        LinkContextLayout.set(memory, entry, Field.BITS_PER_SECOND, queue.bitsPerSecond());
        LinkContextLayout.set(memory, entry, Field.LIMIT_BYTES, queue.limitBytes());
        LinkContextLayout.set(memory, entry, Field.MARK_FROM_BYTES, queue.markFromBytes());
        LinkContextLayout.set(memory, entry, Field.MARK_TO_BYTES, queue.markToBytes());
        LinkContextLayout.set(memory, entry, Field.SEED, seed);
    }
}
