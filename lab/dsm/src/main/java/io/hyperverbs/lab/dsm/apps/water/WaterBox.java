package io.hyperverbs.lab.dsm.apps.water;

import io.hyperverbs.lab.dsm.apps.AppSize;
import java.util.SplittableRandom;

/**
 * Molecules in a box that repeats itself in all directions. A molecule is nine doubles: the places of its oxygen and of
 * its two hydrogens, in x, y and z.
 *
 * @param edge molecules along an edge at the start, when they are on a grid
 */
record WaterBox(int edge, int steps) {
    static final int MOLECULE = 9;
    static final int AXES = 3;

    /** Between hydrogen and oxygen, and between the hydrogens, of a molecule at rest (SPC/Fw, Wu et al. 2006). */
    static final double BOND_LENGTH = 1.012;

    static final double HYDROGEN_DISTANCE = 1.6902;

    /** As dense as water. */
    private static final double SPACING = 3.104;

    /** Of even chance up to it in each direction: the mean energy of a molecule at 300 K. */
    private static final double FASTEST = 0.645;

    private static final double STEP = 0.005;
    private static final double OXYGEN_MASS = 15.9994;
    private static final double HYDROGEN_MASS = 1.008;
    private static final long SEED = 1992;

    static WaterBox of(AppSize size) {
        return switch (size) {
            case SMALL -> new WaterBox(3, 3);
            case STANDARD -> new WaterBox(7, 25);
        };
    }

    int molecules() {
        return edge * edge * edge;
    }

    /** Of an edge of the box. */
    double length() {
        return edge * SPACING;
    }

    /** Molecules on a grid, upright or upside down. */
    double[] startPlaces() {
        SplittableRandom random = new SplittableRandom(SEED);
        double across = HYDROGEN_DISTANCE / 2;
        double up = Math.sqrt(BOND_LENGTH * BOND_LENGTH - across * across);
        double[] places = new double[molecules() * MOLECULE];
        for (int molecule = 0; molecule < molecules(); molecule++) {
            double x = molecule % edge * SPACING;
            double y = molecule / edge % edge * SPACING;
            int layer = molecule / (edge * edge);
            double z = layer * SPACING;
            double rise = random.nextBoolean() ? up : -up;
            double[] sites = {x, y, z, x - across, y, z + rise, x + across, y, z + rise};
            System.arraycopy(sites, 0, places, molecule * MOLECULE, MOLECULE);
        }
        return places;
    }

    /** All sites of a molecule begin with one velocity. */
    double[] startVelocities() {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        double[] velocities = new double[molecules() * MOLECULE];
        for (int at = 0; at < velocities.length; at++) {
            velocities[at] = at % MOLECULE < AXES
                    ? random.nextDouble(-FASTEST, FASTEST)
                    : velocities[at / MOLECULE * MOLECULE + at % AXES];
        }
        return velocities;
    }

    /**
     * Moves one molecule by one step of leapfrog.
     *
     * @param places of the molecule, as {@code velocities}, from {@code at} on
     * @param forces on it, in the units of {@link WaterForces}, from {@code forcesAt} on
     * @return its kinetic energy, in the same units
     */
    static long move(double[] places, double[] velocities, int at, long[] forces, int forcesAt) {
        double energy = 0;
        for (int i = 0; i < MOLECULE; i++) {
            double mass = i < AXES ? OXYGEN_MASS : HYDROGEN_MASS;
            double velocity = velocities[at + i] + STEP * forces[forcesAt + i] / WaterForces.UNITS / mass;
            velocities[at + i] = velocity;
            places[at + i] += STEP * velocity;
            energy += mass * velocity * velocity / 2;
        }
        return WaterForces.units(energy);
    }
}
