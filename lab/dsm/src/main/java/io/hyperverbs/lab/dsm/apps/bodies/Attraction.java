package io.hyperverbs.lab.dsm.apps.bodies;

/** The acceleration of one body by others, in the order in which they are added. */
final class Attraction {
    /** Softens the attraction of near bodies, so that steps need not be short. */
    private static final double SOFTENING_SQUARED = 0.05 * 0.05;

    private double atX;
    private double atY;
    private double atZ;
    private double x;
    private double y;
    private double z;

    /** @param states with the position of the attracted body at {@code at} */
    void begin(double[] states, int at) {
        atX = states[at];
        atY = states[at + 1];
        atZ = states[at + 2];
        x = 0;
        y = 0;
        z = 0;
    }

    double squaredDistance(double fromX, double fromY, double fromZ) {
        double dx = fromX - atX;
        double dy = fromY - atY;
        double dz = fromZ - atZ;
        return dx * dx + dy * dy + dz * dz;
    }

    /** A mass at the body's own place adds nothing. */
    void add(double fromX, double fromY, double fromZ, double mass) {
        double square = squaredDistance(fromX, fromY, fromZ) + SOFTENING_SQUARED;
        double factor = mass / (square * Math.sqrt(square));
        x += factor * (fromX - atX);
        y += factor * (fromY - atY);
        z += factor * (fromZ - atZ);
    }

    double x() {
        return x;
    }

    double y() {
        return y;
    }

    double z() {
        return z;
    }
}
