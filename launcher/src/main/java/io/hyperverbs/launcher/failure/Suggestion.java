package io.hyperverbs.launcher.failure;

import java.util.Collection;
import java.util.Optional;

/** Finds the word that somebody probably meant. */
public final class Suggestion {
    private Suggestion() {}

    /** The candidate nearest to {@code word}, if one is near enough: a third of its letters. */
    public static Optional<String> closest(String word, Collection<String> candidates) {
        return closest(word, candidates, Math.max(1, word.length() / 3));
    }

    /** The candidate nearest to {@code word} that is no more than {@code most} steps away. */
    public static Optional<String> closest(String word, Collection<String> candidates, int most) {
        String best = null;
        int bestDistance = most + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@code did you mean '...'?} or an empty string. */
    public static String hint(String word, Collection<String> candidates) {
        return closest(word, candidates)
                .map(near -> "did you mean '" + near + "'?")
                .orElse("");
    }

    /** {@code did you mean '...'?}, or else all there are. */
    public static String hintOrAll(String word, Collection<String> candidates) {
        String near = hint(word, candidates);
        return near.isEmpty() ? "there are " + String.join(", ", candidates) : near;
    }

    /** Letters to insert, drop, replace, or swap with their neighbour; case counts. */
    static int distance(String left, String right) {
        int[][] cost = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
                least = Math.min(least, cost[i - 1][j - 1] + replaced);
                if (i > 1
                        && j > 1
                        && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1)) {
                    least = Math.min(least, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = least;
            }
        }
        return cost[left.length()][right.length()];
    }
}
