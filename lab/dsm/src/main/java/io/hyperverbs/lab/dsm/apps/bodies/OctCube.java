package io.hyperverbs.lab.dsm.apps.bodies;

/** The cube of a cell, from which one goes on to the cube of one of its eight parts. */
final class OctCube {
    private static final int X = 1;
    private static final int Y = 2;
    private static final int Z = 4;

    private double x;
    private double y;
    private double z;
    private double half;

    /**
     * The cube around the origin that the root has.
     *
     * @param reach the largest coordinate of any body, without its sign
     */
    void root(double reach) {
        x = 0;
        y = 0;
        z = 0;
        half = halfEdge(reach);
    }

    /** A power of two, so that the middles of all cubes are exact. */
    static double halfEdge(double reach) {
        return Math.scalb(1.0, Math.getExponent(reach) + 1);
    }

    /** The part in which a position lies. */
    int octant(double[] states, int at) {
        return (states[at] >= x ? X : 0) | (states[at + 1] >= y ? Y : 0) | (states[at + 2] >= z ? Z : 0);
    }

    void enter(int octant) {
        half /= 2;
        x += (octant & X) == 0 ? -half : half;
        y += (octant & Y) == 0 ? -half : half;
        z += (octant & Z) == 0 ? -half : half;
    }
}
