package io.hyperverbs.lab.walk.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What has to come before a step is over.
 *
 * @param completions number of them by slot of the completion queue
 * @param events number of asynchronous events by slot of the context
 * @param psns the PSN that a queue pair's requester gets to, by slot
 */
public record Waits(Map<Integer, Integer> completions, Map<Integer, Integer> events, Map<Integer, Integer> psns) {
    private static final String NONE = "-";

    /** Nothing yet, to be filled. */
    public static Waits none() {
        return new Waits(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    public boolean isEmpty() {
        return completions.isEmpty() && events.isEmpty() && psns.isEmpty();
    }

    /** One word. */
    public String format() {
        List<String> words = new ArrayList<>();
        completions.forEach((cq, count) -> words.add("c" + cq + ":" + count));
        events.forEach((context, count) -> words.add("e" + context + ":" + count));
        psns.forEach((qp, psn) -> words.add("p" + qp + ":" + psn));
        return words.isEmpty() ? NONE : String.join(",", words);
    }

    static Waits parse(String text) {
        Waits waits = none();
        if (!text.equals(NONE)) {
            for (String word : text.split(",", -1)) {
                int colon = word.indexOf(':');
                int slot = Integer.parseInt(word.substring(1, colon));
                int value = Integer.parseInt(word.substring(colon + 1));
                waits.of(word.charAt(0)).put(slot, value);
            }
        }
        return waits;
    }

    private Map<Integer, Integer> of(char kind) {
        return switch (kind) {
            case 'c' -> completions;
            case 'e' -> events;
            case 'p' -> psns;
            default -> throw new IllegalArgumentException("nothing is waited for by " + kind);
        };
    }
}
