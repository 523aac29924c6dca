package io.hyperverbs.lab.dsm.apps;

import java.util.Locale;

/**
 * One run of an application.
 *
 * @param nanos of its measured part
 * @param traffic of all nodes in it
 * @param difference between what was found and what was expected, in one line; empty when all values are equal
 */
public record AppResult(String application, int nodes, long nanos, AppTraffic traffic, String difference) {
    private static final double NANOS = 1e9;

    /**
     * Compares values for equality: the results of nodes do not depend on the order in which they come, so there is no
     * tolerance. A value that is no number equals nothing.
     *
     * @return how many differ, and the first of them; empty when none does
     */
    public static String difference(double[] found, double[] expected) {
        if (found.length != expected.length) {
            return found.length + " values found, expected " + expected.length;
        }
        int first = -1;
        int count = 0;
        for (int i = found.length - 1; i >= 0; i--) {
            if (found[i] != expected[i] || Double.isNaN(found[i])) {
                first = i;
                count++;
            }
        }
        return count == 0
                ? ""
                : count + " of " + found.length + " values differ, value " + first + " is " + found[first]
                        + ", expected " + expected[first];
    }

    public boolean isRight() {
        return difference.isEmpty();
    }

    /** As it is printed: {@code sor: right on 4 nodes, 0.31 s}. */
    public String line() {
        String where = " on " + nodes + (nodes == 1 ? " node" : " nodes");
        return isRight()
                ? String.format(Locale.ROOT, "%s: right%s, %.2f s", application, where, nanos / NANOS)
                : application + ": WRONG" + where + ", " + difference;
    }
}
