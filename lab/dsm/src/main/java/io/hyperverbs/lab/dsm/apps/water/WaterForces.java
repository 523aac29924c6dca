package io.hyperverbs.lab.dsm.apps.water;

import java.util.Arrays;

/**
 * Forces in and between molecules: flexible three-site water (SPC/Fw, Wu et al. 2006) with a spring between the
 * hydrogens in place of the angle, and without what is further away than half the box. Each force is rounded to units
 * of 2^-32 before it is added to others. Integers have one sum whatever the order, and so all nodes together find
 * what one finds, to the last bit, though they add in the order in which they get the locks.
 */
final class WaterForces {
    /** In a kJ/mol, and in a kJ/mol per angstrom. */
    static final double UNITS = 0x1p32;

    private static final double BOND_STIFFNESS = 4431.5;
    private static final double HYDROGEN_STIFFNESS = 1025;
    private static final double[] CHARGES = {-0.82, 0.41, 0.41};
    private static final double COULOMB = 1389.35458;
    private static final double DEPTH = 0.6503;
    private static final double DIAMETER_SQUARED = 3.165492 * 3.165492;
    private static final int AXES = WaterBox.AXES;

    private final double length;
    private final double[] places;
    private final long[] forces;
    private long potential;

    /**
     * @param length of an edge of the box
     * @param places of all molecules, filled by the caller
     */
    WaterForces(double length, double[] places) {
        this.length = length;
        this.places = places;
        this.forces = new long[places.length];
    }

    static long units(double value) {
        return (long) Math.rint(value * UNITS);
    }

    void clear() {
        Arrays.fill(forces, 0);
        potential = 0;
    }

    /** By molecule, site and axis, as the places. */
    long[] forces() {
        return forces;
    }

    long potential() {
        return potential;
    }

    /** Adds the forces within a molecule. */
    void addWithin(int molecule) {
        int oxygen = molecule * WaterBox.MOLECULE;
        int hydrogen = oxygen + AXES;
        addSpring(oxygen, hydrogen, WaterBox.BOND_LENGTH, BOND_STIFFNESS);
        addSpring(oxygen, hydrogen + AXES, WaterBox.BOND_LENGTH, BOND_STIFFNESS);
        addSpring(hydrogen, hydrogen + AXES, WaterBox.HYDROGEN_DISTANCE, HYDROGEN_STIFFNESS);
    }

    private void addSpring(int site, int other, double rest, double stiffness) {
        double x = places[site] - places[other];
        double y = places[site + 1] - places[other + 1];
        double z = places[site + 2] - places[other + 2];
        double distance = Math.sqrt(x * x + y * y + z * z);
        double stretch = distance - rest;
        potential += units(stiffness / 2 * stretch * stretch);
        push(site, other, -stiffness * stretch / distance, x, y, z);
    }

    /** Adds the forces between two molecules; these are the same for either order. */
    void addBetween(int molecule, int other) {
        int oxygen = molecule * WaterBox.MOLECULE;
        int otherOxygen = other * WaterBox.MOLECULE;
        double shiftX = shift(oxygen, otherOxygen);
        double shiftY = shift(oxygen + 1, otherOxygen + 1);
        double shiftZ = shift(oxygen + 2, otherOxygen + 2);
        double x = places[oxygen] - places[otherOxygen] - shiftX;
        double y = places[oxygen + 1] - places[otherOxygen + 1] - shiftY;
        double z = places[oxygen + 2] - places[otherOxygen + 2] - shiftZ;
        double square = x * x + y * y + z * z;
        if (square > length * length / 4) {
            return;
        }
        double sixth = Math.pow(DIAMETER_SQUARED / square, 3);
        potential += units(4 * DEPTH * (sixth * sixth - sixth));
        push(oxygen, otherOxygen, 24 * DEPTH * (2 * sixth * sixth - sixth) / square, x, y, z);
        for (int i = 0; i < CHARGES.length; i++) {
            for (int j = 0; j < CHARGES.length; j++) {
                int site = oxygen + i * AXES;
                int otherSite = otherOxygen + j * AXES;
                double dx = places[site] - places[otherSite] - shiftX;
                double dy = places[site + 1] - places[otherSite + 1] - shiftY;
                double dz = places[site + 2] - places[otherSite + 2] - shiftZ;
                double near = dx * dx + dy * dy + dz * dz;
                double energy = COULOMB * CHARGES[i] * CHARGES[j] / Math.sqrt(near);
                potential += units(energy);
                push(site, otherSite, energy / near, dx, dy, dz);
            }
        }
    }

    /** To the nearest repetition of the other molecule. */
    private double shift(int place, int otherPlace) {
        return length * Math.rint((places[place] - places[otherPlace]) / length);
    }

    private void push(int site, int other, double factor, double x, double y, double z) {
        pushAxis(site, other, factor * x);
        pushAxis(site + 1, other + 1, factor * y);
        pushAxis(site + 2, other + 2, factor * z);
    }

    private void pushAxis(int place, int otherPlace, double force) {
        long units = units(force);
        forces[place] += units;
        forces[otherPlace] -= units;
    }
}
