package io.hyperverbs.launcher.topology;

/**
 * What a topology says must hold.
 *
 * @param isolate the attack to make
 * @param expect a status that it has to meet, or {@code contained}
 */
public record TopologyCheck(String name, String isolate, String expect) {
    /** Expected where nothing is said. */
    public static final String CONTAINED = "contained";
}
