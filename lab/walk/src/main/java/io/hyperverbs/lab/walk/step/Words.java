package io.hyperverbs.lab.walk.step;

import java.util.HashMap;
import java.util.Map;

/** A line of words: the first stands alone, the others are {@code key=value}. */
final class Words {
    private final String line;
    private final String head;
    private final Map<String, String> values = new HashMap<>();

    /**
     * @throws IllegalArgumentException if a word has no {@code =}
     */
    Words(String line) {
        this.line = line;
        String[] words = line.strip().split("\\s+", -1);
        head = words[0];
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + words[i] + "' has no = in: " + line);
            }
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
    }

    String head() {
        return head;
    }

    Map<String, String> values() {
        return values;
    }

    String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + "= in: " + line);
        }
        return value;
    }

    int number(String key) {
        return Integer.parseInt(text(key));
    }

    long wide(String key) {
        return Long.parseLong(text(key));
    }
}
