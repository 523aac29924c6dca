package io.hyperverbs.lab.dsm.apps.water;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.lab.dsm.apps.AppSize;
import org.junit.jupiter.api.Test;

/** Forces are what the energy loses on a way, and their sums are the same in whatever order they are added. */
class WaterForcesTest {
    private static final double WAY = 1e-4;

    /** Forces are up to some hundreds; the error of a difference is of the order of the way squared. */
    private static final double TOLERANCE = 1e-3;

    private static final double LONG_BOX = 100;

    /** Two molecules, a hydrogen of the one near the oxygen of the other. */
    private final double[] places = {
        0, 0, 0, 1.05, 0.1, 0, -0.3, 0.95, 0.05, 2.9, 0.2, 0.1, 3.4, 1.1, 0.2, 3.5, -0.6, -0.2
    };

    @Test
    void pushesDownTheSlopeOfTheEnergy() {
        long[] forces = forces(LONG_BOX).forces().clone();

        for (int i = 0; i < places.length; i++) {
            double place = places[i];
            places[i] = place + WAY;
            double ahead = forces(LONG_BOX).potential() / WaterForces.UNITS;
            places[i] = place - WAY;
            double behind = forces(LONG_BOX).potential() / WaterForces.UNITS;
            places[i] = place;
            assertThat(forces[i] / WaterForces.UNITS).isCloseTo((behind - ahead) / (2 * WAY), within(TOLERANCE));
        }
    }

    @Test
    void takesTheNearestRepetitionOfAMolecule() {
        double length = 12;
        long[] forces = forces(length).forces().clone();
        for (int i = WaterBox.MOLECULE; i < places.length; i += WaterBox.AXES) {
            places[i] += length;
        }

        long[] moved = forces(length).forces();

        for (int i = 0; i < places.length; i++) {
            assertThat(moved[i] / WaterForces.UNITS).isCloseTo(forces[i] / WaterForces.UNITS, within(TOLERANCE));
        }
    }

    @Test
    void leavesOutWhatIsFurtherThanHalfTheBox() {
        double length = 6;
        for (int i = WaterBox.MOLECULE; i < places.length; i += WaterBox.AXES) {
            places[i + 1] += length / 2;
        }
        WaterForces far = new WaterForces(length, places);

        far.addBetween(0, 1);

        assertThat(far.potential()).isZero();
        assertThat(far.forces()).containsOnly(0);
    }

    @Test
    void addsUpTheSameInAnyOrder() {
        WaterForces other = new WaterForces(LONG_BOX, places);
        other.addBetween(1, 0);
        other.addWithin(1);
        other.addWithin(0);

        WaterForces forces = forces(LONG_BOX);

        assertThat(other.forces()).isEqualTo(forces.forces());
        assertThat(other.potential()).isEqualTo(forces.potential());
    }

    /** But for what molecules have between them when they come within half the box, or leave it. */
    @Test
    void keepsTheEnergyOfAllMolecules() {
        WaterBox box = WaterBox.of(AppSize.STANDARD);
        int places = box.molecules() * WaterBox.MOLECULE;

        double[] all = new WaterApplication().expected(AppSize.STANDARD);

        double first = (all[places] + all[places + 1]) / WaterForces.UNITS / box.molecules();
        double last = (all[all.length - 2] + all[all.length - 1]) / WaterForces.UNITS / box.molecules();
        assertThat(last).isCloseTo(first, within(0.5));
    }

    private WaterForces forces(double length) {
        WaterForces forces = new WaterForces(length, places);
        forces.addWithin(0);
        forces.addWithin(1);
        forces.addBetween(0, 1);
        return forces;
    }
}
