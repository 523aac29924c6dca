package io.hyperverbs.hca.link;

import java.util.LinkedHashMap;
import java.util.Map;

/** Settings of a link in the words of topologies, both ways. */
final class LinkWords {
    static final String NONE = "none";
    static final String DOWN = "down";
    static final String UP = "up";
    private static final String LOSS = "loss";
    private static final String DUPLICATE = "duplicate";
    private static final String CORRUPT = "corrupt";
    private static final String REORDER = "reorder";
    private static final String DELAY = "delay";
    private static final String JITTER = "jitter";
    private static final String RATE = "rate";
    private static final String QUEUE = "queue";
    private static final String ECN = "ecn";
    private static final String SEED = "seed";

    private LinkWords() {}

    static Map<String, String> of(LinkSettings settings) {
        Map<String, String> words = new LinkedHashMap<>();
        if (settings.isDown()) {
            words.put(DOWN, "true");
        }
        put(words, LOSS, Quantity.SHARE, settings.loss());
        put(words, DUPLICATE, Quantity.SHARE, settings.duplicate());
        put(words, CORRUPT, Quantity.SHARE, settings.corrupt());
        put(words, REORDER, Quantity.SHARE, settings.reorder());
        put(words, DELAY, Quantity.TIME, settings.delayNanos());
        put(words, JITTER, Quantity.TIME, settings.jitterNanos());
        QueueSettings queue = settings.queue();
        put(words, RATE, Quantity.RATE, queue.bitsPerSecond());
        if (queue.limitBytes() != QueueSettings.STANDARD_LIMIT_BYTES) {
            put(words, QUEUE, Quantity.SIZE, queue.limitBytes());
        }
        if (queue.markToBytes() > 0) {
            String from = Quantity.SIZE.format(queue.markFromBytes());
            boolean isOne = queue.markFromBytes() == queue.markToBytes();
            words.put(ECN, isOne ? from : from + "-" + Quantity.SIZE.format(queue.markToBytes()));
        }
        if (settings.seed() != 0) {
            words.put(SEED, Long.toString(settings.seed()));
        }
        return words;
    }

    private static void put(Map<String, String> words, String key, Quantity quantity, long value) {
        if (value != 0) {
            words.put(key, quantity.format(value));
        }
    }

    /** The words of {@code loss=0.1% delay=10us}. */
    static Map<String, String> split(String text) {
        Map<String, String> words = new LinkedHashMap<>();
        for (String word : text.strip().split(" +", -1)) {
            int equals = word.indexOf('=');
            if (equals < 1 || words.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("'" + word + "' is no KEY=VALUE, or there twice");
            }
        }
        return words;
    }

    static LinkSettings apply(LinkSettings before, Map<String, String> changes) {
        Map<String, String> words = of(before);
        changes.forEach((key, value) -> {
            if (value.equals(NONE)) {
                words.remove(key);
            } else {
                words.put(key, value);
            }
        });
        // A queue that goes takes with it what was said of it before, but not what is said now.
        if (!words.containsKey(RATE)) {
            if (!changes.containsKey(QUEUE)) {
                words.remove(QUEUE);
            }
            if (!changes.containsKey(ECN)) {
                words.remove(ECN);
            }
        }
        Reader reader = new Reader(words);
        LinkSettings after = reader.read();
        reader.expectEmpty();
        return after;
    }

    /** Takes words until none is left. */
    private static final class Reader {
        private final Map<String, String> left;

        Reader(Map<String, String> words) {
            left = new LinkedHashMap<>(words);
        }

        LinkSettings read() {
            return new LinkSettings(
                    isTrue(DOWN),
                    (int) number(LOSS, Quantity.SHARE),
                    (int) number(DUPLICATE, Quantity.SHARE),
                    (int) number(CORRUPT, Quantity.SHARE),
                    (int) number(REORDER, Quantity.SHARE),
                    number(DELAY, Quantity.TIME),
                    number(JITTER, Quantity.TIME),
                    queue(),
                    seed());
        }

        private QueueSettings queue() {
            long rate = number(RATE, Quantity.RATE);
            long limit = number(QUEUE, Quantity.SIZE);
            String thresholds = left.remove(ECN);
            if (thresholds == null) {
                return new QueueSettings(rate, limit, 0, 0);
            }
            int dash = thresholds.indexOf('-');
            String from = dash < 0 ? thresholds : thresholds.substring(0, dash);
            return new QueueSettings(
                    rate,
                    limit,
                    number(ECN, from, Quantity.SIZE),
                    number(ECN, thresholds.substring(dash + 1), Quantity.SIZE));
        }

        private boolean isTrue(String key) {
            String text = left.getOrDefault(key, "false");
            left.remove(key);
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException(key + ": '" + text + "' is neither true nor false");
            }
            return text.equals("true");
        }

        private long number(String key, Quantity quantity) {
            String text = left.remove(key);
            return text == null ? 0 : number(key, text, quantity);
        }

        private static long number(String key, String text, Quantity quantity) {
            try {
                return quantity.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
            }
        }

        private long seed() {
            String text = left.getOrDefault(SEED, "0");
            left.remove(SEED);
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(SEED + ": '" + text + "' is no whole number", e);
            }
        }

        void expectEmpty() {
            for (String key : left.keySet()) {
                throw new IllegalArgumentException("'" + key + "' is none of down, loss, duplicate, corrupt, reorder,"
                        + " delay, jitter, rate, queue, ecn, seed");
            }
        }
    }
}
