package io.hyperverbs.lab.dsm.apps.bodies;

import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.AppTimer;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.apps.NodeShare;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;

/**
 * N-body: each body is attracted by each other (Liss 2003 §5.2). A node moves its own bodies, and reads all of them in
 * each step. A minipage is a body.
 */
public final class NbodyApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    private record Size(int bodies, int steps) {
        static Size of(AppSize size) {
            return switch (size) {
                case SMALL -> new Size(50, 3);
                case STANDARD -> new Size(1024, 40);
            };
        }
    }

    @Override
    public String name() {
        return "nbody";
    }

    @Override
    public double[] run(Dsm dsm, AppSize appSize, AppTimer timer) {
        Size size = Size.of(appSize);
        NodeShare share = NodeShare.of(dsm, size.bodies);
        SharedDoubles bodies = dsm.doubles(share.room() * BodyState.SIZE, BodyState.SIZE);
        int first = share.first() * BodyState.SIZE;
        int length = share.count() * BodyState.SIZE;
        bodies.set(first, BodyState.ball(size.bodies), first, length);
        double[] all = new double[size.bodies * BodyState.SIZE];
        double[] moved = new double[length];
        Attraction attraction = new Attraction();
        timer.start();
        for (int step = 0; step < size.steps; step++) {
            bodies.get(0, all, 0, all.length);
            System.arraycopy(all, first, moved, 0, length);
            for (int at = 0; at < length; at += BodyState.SIZE) {
                attraction.begin(moved, at);
                for (int other = 0; other < all.length; other += BodyState.SIZE) {
                    attraction.add(all[other], all[other + 1], all[other + 2], all[other + BodyState.MASS]);
                }
                BodyState.move(moved, at, attraction);
            }
            // All nodes have read the places of this step.
            dsm.barrier();
            bodies.set(first, moved, 0, length);
            dsm.barrier();
        }
        timer.stop();
        if (dsm.node() != 0) {
            return NOTHING;
        }
        bodies.get(0, all, 0, all.length);
        return all;
    }

    @Override
    public double[] expected(AppSize appSize) {
        Size size = Size.of(appSize);
        double[] bodies = BodyState.ball(size.bodies);
        Attraction attraction = new Attraction();
        for (int step = 0; step < size.steps; step++) {
            double[] before = bodies.clone();
            for (int body = 0; body < bodies.length; body += BodyState.SIZE) {
                attraction.begin(before, body);
                for (int other = 0; other < bodies.length; other += BodyState.SIZE) {
                    attraction.add(before[other], before[other + 1], before[other + 2], before[other + BodyState.MASS]);
                }
                BodyState.move(bodies, body, attraction);
            }
        }
        return bodies;
    }
}
