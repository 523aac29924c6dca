package io.hyperverbs.lab.run.perf;

import java.util.ArrayList;
import java.util.List;

/** Which guests send to which. */
public enum TrafficPattern {
    /** Pairs: the first guest to the second, the third to the fourth. */
    O2O("one to one"),
    /** The first guest to all others. */
    O2M("one to many"),
    /** All others to the first guest. */
    M2O("many to one"),
    /** Each guest to all others. */
    A2A("all to all");

    public static final int LEAST_GUESTS = 2;
    public static final int MOST_GUESTS = 8;

    /** Messages from one guest to another one, both from 0. */
    record Pair(int from, int to) {}

    private final String words;

    TrafficPattern(String words) {
        this.words = words;
    }

    /** What it is. */
    public String words() {
        return words;
    }

    /** All pairs of so many guests. */
    List<Pair> pairs(int guests) {
        List<Pair> pairs = new ArrayList<>();
        for (int from = 0; from < guests; from++) {
            for (int to = 0; to < guests; to++) {
                if (has(from, to)) {
                    pairs.add(new Pair(from, to));
                }
            }
        }
        return pairs;
    }

    private boolean has(int from, int to) {
        return from != to
                && switch (this) {
                    case O2O -> from % 2 == 0 && to == from + 1;
                    case O2M -> from == 0;
                    case M2O -> to == 0;
                    case A2A -> true;
                };
    }

    /** The most pairs that one guest is part of. */
    public int mostPairs(int guests) {
        return switch (this) {
            case O2O -> 1;
            case O2M, M2O -> guests - 1;
            case A2A -> 2 * (guests - 1);
        };
    }

    /** Guests that send. */
    int senders(int guests) {
        return (int) pairs(guests).stream().mapToInt(Pair::from).distinct().count();
    }

    /** Threads that poll: guests that send, those that take messages, and the engine. */
    public int pollers(int guests, boolean receiversPoll) {
        return (receiversPoll ? guests : senders(guests)) + 1;
    }
}
