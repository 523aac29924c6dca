package io.hyperverbs.lab.dsm.apps.water;

import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.AppTimer;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.apps.NodeShare;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;
import io.hyperverbs.upper.dsm.SharedLongs;
import java.util.Arrays;

/**
 * Water: molecular dynamics with forces between all pairs of near molecules (Liss 2003 §5.2, SPLASH's
 * Water-nsquared). A node moves its own molecules, finds the forces between these and the half of all that follows
 * each, sums them up privately, and adds the sums under the lock of each molecule. Steps are those of leapfrog, where
 * SPLASH has a predictor and a corrector. A minipage is the places of a molecule, or the forces on one.
 */
public final class WaterApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    @Override
    public String name() {
        return "water";
    }

    @Override
    public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
        WaterBox box = WaterBox.of(size);
        Molecules molecules = new Molecules(dsm, box);
        timer.start();
        for (int step = 0; step < box.steps(); step++) {
            molecules.addForces(step);
            // All forces are added, and nobody needs the places any more.
            dsm.barrier();
            molecules.move(step);
            dsm.barrier();
        }
        timer.stop();
        return dsm.node() == 0 ? molecules.all() : NOTHING;
    }

    @Override
    public double[] expected(AppSize size) {
        WaterBox box = WaterBox.of(size);
        double[] places = box.startPlaces();
        double[] velocities = box.startVelocities();
        double[] all = Arrays.copyOf(places, places.length + 2 * box.steps());
        WaterForces forces = new WaterForces(box.length(), places);
        for (int step = 0; step < box.steps(); step++) {
            forces.clear();
            for (int molecule = 0; molecule < box.molecules(); molecule++) {
                forces.addWithin(molecule);
                for (int other = 0; other < molecule; other++) {
                    forces.addBetween(molecule, other);
                }
            }
            long kinetic = 0;
            for (int at = 0; at < places.length; at += WaterBox.MOLECULE) {
                kinetic += WaterBox.move(places, velocities, at, forces.forces(), at);
            }
            all[places.length + 2 * step] = forces.potential();
            all[places.length + 2 * step + 1] = kinetic;
        }
        System.arraycopy(places, 0, all, 0, places.length);
        return all;
    }

    /** What one node sees of the molecules. */
    private static final class Molecules {
        private static final int PAGE = 16;

        private final Dsm dsm;
        private final WaterBox box;
        private final NodeShare share;
        private final SharedDoubles places;
        private final SharedLongs forces;

        /** Potential and kinetic energy of all molecules, by step. */
        private final SharedLongs energies;

        private final double[] known;
        private final double[] velocities;
        private final WaterForces sums;

        Molecules(Dsm dsm, WaterBox box) {
            this.dsm = dsm;
            this.box = box;
            share = NodeShare.of(dsm, box.molecules());
            places = dsm.doubles(share.room() * PAGE, PAGE);
            forces = dsm.longs(share.room() * PAGE, PAGE);
            energies = dsm.longs(2 * box.steps(), 2);
            known = box.startPlaces();
            velocities = box.startVelocities();
            sums = new WaterForces(box.length(), known);
            for (int molecule = share.first(); molecule < share.end(); molecule++) {
                places.set(molecule * PAGE, known, molecule * WaterBox.MOLECULE, WaterBox.MOLECULE);
            }
        }

        void addForces(int step) {
            int all = box.molecules();
            int near = share.count() == 0 ? 0 : Math.min(all, share.count() + all / 2);
            for (int i = 0; i < near; i++) {
                int molecule = (share.first() + i) % all;
                places.get(molecule * PAGE, known, molecule * WaterBox.MOLECULE, WaterBox.MOLECULE);
            }
            sums.clear();
            for (int molecule = share.first(); molecule < share.end(); molecule++) {
                sums.addWithin(molecule);
                // Of an even number, the one half around follows both of a pair: the first of these has it.
                int following = molecule < all / 2 ? all / 2 : (all - 1) / 2;
                for (int i = 1; i <= following; i++) {
                    sums.addBetween(molecule, (molecule + i) % all);
                }
            }
            for (int i = 0; i < near; i++) {
                addForces(sums.forces(), (share.first() + i) % all);
            }
            addEnergy(2 * step, sums.potential());
        }

        private void addForces(long[] added, int molecule) {
            long[] sum = new long[WaterBox.MOLECULE];
            dsm.lock(molecule);
            forces.get(molecule * PAGE, sum, 0, sum.length);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += added[molecule * WaterBox.MOLECULE + i];
            }
            forces.set(molecule * PAGE, sum, 0, sum.length);
            dsm.unlock(molecule);
        }

        private void addEnergy(int place, long energy) {
            dsm.lock(box.molecules());
            energies.set(place, energies.get(place) + energy);
            dsm.unlock(box.molecules());
        }

        void move(int step) {
            long[] force = new long[WaterBox.MOLECULE];
            long kinetic = 0;
            for (int molecule = share.first(); molecule < share.end(); molecule++) {
                int at = molecule * WaterBox.MOLECULE;
                forces.get(molecule * PAGE, force, 0, force.length);
                kinetic += WaterBox.move(known, velocities, at, force, 0);
                places.set(molecule * PAGE, known, at, WaterBox.MOLECULE);
                forces.set(molecule * PAGE, new long[WaterBox.MOLECULE], 0, WaterBox.MOLECULE);
            }
            addEnergy(2 * step + 1, kinetic);
        }

        /** Places, then energies. */
        double[] all() {
            int length = box.molecules() * WaterBox.MOLECULE;
            double[] all = new double[length + energies.length()];
            for (int molecule = 0; molecule < box.molecules(); molecule++) {
                places.get(molecule * PAGE, all, molecule * WaterBox.MOLECULE, WaterBox.MOLECULE);
            }
            for (int i = 0; i < energies.length(); i++) {
                all[length + i] = energies.get(i);
            }
            return all;
        }
    }
}
