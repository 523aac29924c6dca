package io.hyperverbs.lab.dsm.apps.bodies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The tree's attraction is nearly that of all pairs, and the cubes of cells are where their parts say. */
class OctTreeTest {
    private static final int BODIES = 200;

    /** Of the farthest that any body goes. */
    private static final double TOLERANCE = 0.02;

    @Test
    void movesBodiesNearlyAsAllPairsDo() {
        double[] before = BodyState.ball(BODIES);
        double[] byTree = before.clone();
        double[] byPairs = before.clone();

        OctTree.move(byTree);
        Attraction attraction = new Attraction();
        for (int body = 0; body < before.length; body += BodyState.SIZE) {
            attraction.begin(before, body);
            for (int other = 0; other < before.length; other += BodyState.SIZE) {
                attraction.add(before[other], before[other + 1], before[other + 2], before[other + BodyState.MASS]);
            }
            BodyState.move(byPairs, body, attraction);
        }

        double farthest = 0;
        for (int at = 0; at < before.length; at++) {
            farthest = at % BodyState.SIZE < 3 ? Math.max(farthest, Math.abs(byPairs[at] - before[at])) : farthest;
        }
        assertThat(byTree).isNotEqualTo(byPairs);
        for (int body = 0; body < before.length; body += BodyState.SIZE) {
            for (int axis = body; axis < body + 3; axis++) {
                assertThat(byTree[axis]).isCloseTo(byPairs[axis], within(TOLERANCE * farthest));
            }
        }
    }

    @Test
    void entersThePartInWhichABodyLies() {
        OctCube cube = new OctCube();
        double[] body = {0.3, -0.3, 0.7};
        cube.root(0.7);

        int first = cube.octant(body, 0);
        cube.enter(first);
        int second = cube.octant(body, 0);

        assertThat(OctCube.halfEdge(0.7)).isEqualTo(1);
        assertThat(first).isEqualTo(0b101);
        assertThat(second).isEqualTo(0b110);
    }

    @Test
    void pullsTowardsWhatIsAround() {
        Attraction attraction = new Attraction();
        attraction.begin(new double[] {0, 0, 0}, 0);

        attraction.add(0, 0, 0, 1);
        assertThat(new double[] {attraction.x(), attraction.y(), attraction.z()})
                .containsOnly(0);

        attraction.add(2, 0, 0, 1);
        attraction.add(0, -2, 0, 1);
        assertThat(attraction.x()).isCloseTo(0.25, within(1e-3)).isEqualTo(-attraction.y());
    }
}
