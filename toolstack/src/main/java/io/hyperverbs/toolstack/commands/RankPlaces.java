package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which guest each rank of a Java program runs in.
 *
 * @param guests of the ranks, in their order
 */
record RankPlaces(List<String> guests) {
    /** Each rank has a connection to each other one. */
    static final int MOST_RANKS = 64;

    /**
     * Spreads ranks evenly, those of a guest one after the other; the first guests get one more.
     *
     * @throws HvException USAGE for a number of ranks that cannot be
     */
    static RankPlaces place(int ranks, List<String> guests) throws HvException {
        check(ranks);
        List<String> places = new ArrayList<>();
        for (int guest = 0; guest < guests.size(); guest++) {
            int own = ranks / guests.size() + (guest < ranks % guests.size() ? 1 : 0);
            for (int i = 0; i < own; i++) {
                places.add(guests.get(guest));
            }
        }
        return new RankPlaces(List.copyOf(places));
    }

    /**
     * @throws HvException USAGE for a number of ranks that cannot be
     */
    static void check(int ranks) throws HvException {
        if (ranks < 1 || ranks > MOST_RANKS) {
            throw new HvException(ExitCode.USAGE, "-n " + ranks + ", must be 1 to " + MOST_RANKS, "");
        }
    }

    /** The ranks of each guest that has some. */
    Map<String, List<Integer>> byGuest() {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < guests.size(); rank++) {
            ranks.computeIfAbsent(guests.get(rank), _ -> new ArrayList<>()).add(rank);
        }
        return ranks;
    }
}
