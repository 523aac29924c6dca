package io.hyperverbs.vmm.envelope;

import java.util.HashMap;
import java.util.Map;

/**
 * What a guest's program may have of processor time when trusted threads use some of it for the
 * same guest: the kernel gives those their time before all guests, so it is taken from the weight
 * of the program that they work for, and not from its neighbours. One thread.
 */
public final class ProgramShares {
    /** Of a core; who uses less waits for no neighbour, and none waits for it. */
    private static final double ACTIVE = 0.1;

    /** A program keeps that part of its share whatever is used for it. */
    static final double LEAST = 0.1;

    /** How much the newest look counts, as looks are short and work comes in bursts. */
    private static final double NEWEST = 0.5;

    /**
     * What one guest used since the last look, in cores.
     *
     * @param weight its share beside others, at least 1
     * @param served by trusted threads that work for it
     * @param own by its program
     */
    public record Use(int weight, double served, double own) {
        boolean isActive() {
            return served + own >= ACTIVE;
        }
    }

    private final Map<Integer, Double> served = new HashMap<>();

    /**
     * Looks at what all guests used.
     *
     * @param cores that programs share; one at least is reckoned with
     * @param uses by domain id
     * @return the part of its weight that each one's program keeps, from {@link #LEAST} to 1
     */
    public Map<Integer, Double> parts(int cores, Map<Integer, Use> uses) {
        served.keySet().retainAll(uses.keySet());
        double active = 0;
        for (Use use : uses.values()) {
            active += use.isActive() ? use.weight() : 0;
        }
        Map<Integer, Double> parts = new HashMap<>();
        for (Map.Entry<Integer, Use> one : uses.entrySet()) {
            Use use = one.getValue();
            double usual = served.merge(
                    one.getKey(), use.served() / Math.max(1, cores), (old, now) -> old + NEWEST * (now - old));
            // Alone it takes nothing from anybody.
            double share = use.isActive() ? use.weight() / active : 1;
            parts.put(one.getKey(), share >= 1 ? 1 : Math.clamp(1 - usual / share, LEAST, 1));
        }
        return parts;
    }
}
