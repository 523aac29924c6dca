package io.hyperverbs.lab.dsm.apps.bodies;

import java.util.SplittableRandom;

/**
 * A body as eight doubles, which are a minipage of their own, in units in which the constant of gravitation is 1:
 * <pre>
 *  0   x, y, z
 *  3   mass
 *  4   velocity in x, y, z
 *  7   not used
 * </pre>
 */
final class BodyState {
    static final int SIZE = 8;
    static final int MASS = 3;

    private static final int VELOCITY = 4;
    private static final double STEP = 0.01;
    private static final long SEED = 1986;

    private BodyState() {}

    /** A ball of bodies at rest, with a mass of 1 together and a radius of 1, denser inside. */
    static double[] ball(int bodies) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] states = new double[bodies * SIZE];
        for (int at = 0; at < states.length; at += SIZE) {
            double square;
            do {
                square = 0;
                for (int axis = at; axis < at + 3; axis++) {
                    states[axis] = 2 * random.nextDouble() - 1;
                    square += states[axis] * states[axis];
                }
            } while (square > 1);
            for (int axis = at; axis < at + 3; axis++) {
                states[axis] *= square;
            }
            states[at + MASS] = 1.0 / bodies;
        }
        return states;
    }

    /** Moves the body at this index by one step of leapfrog. */
    static void move(double[] states, int at, Attraction attraction) {
        states[at + VELOCITY] += STEP * attraction.x();
        states[at + VELOCITY + 1] += STEP * attraction.y();
        states[at + VELOCITY + 2] += STEP * attraction.z();
        for (int axis = at; axis < at + 3; axis++) {
            states[axis] += STEP * states[axis + VELOCITY];
        }
    }
}
