package io.hyperverbs.lab.dsm.apps.bodies;

import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.AppTimer;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.apps.NodeShare;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;

/**
 * Barnes: bodies attract each other, far ones as cells of a tree that all nodes build together in each step (Liss 2003
 * §5.2, SPLASH-2; Barnes and Hut 1986). The tree of given bodies is the same in whatever order they come, so that
 * results do not depend on the number of nodes. A minipage is a body or a cell.
 */
public final class BarnesApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    private record Size(int bodies, int steps) {
        static Size of(AppSize size) {
            return switch (size) {
                case SMALL -> new Size(60, 2);
                case STANDARD -> new Size(1024, 12);
            };
        }
    }

    @Override
    public String name() {
        return "barnes";
    }

    @Override
    public double[] run(Dsm dsm, AppSize appSize, AppTimer timer) {
        Size size = Size.of(appSize);
        Galaxy galaxy = new Galaxy(dsm, size.bodies);
        timer.start();
        for (int step = 0; step < size.steps; step++) {
            galaxy.step();
        }
        timer.stop();
        return dsm.node() == 0 ? galaxy.all() : NOTHING;
    }

    @Override
    public double[] expected(AppSize appSize) {
        Size size = Size.of(appSize);
        double[] bodies = BodyState.ball(size.bodies);
        for (int step = 0; step < size.steps; step++) {
            OctTree.move(bodies);
        }
        return bodies;
    }

    /** What one node sees of the bodies. */
    private static final class Galaxy {
        private final Dsm dsm;
        private final int count;
        private final int first;
        private final SharedDoubles bodies;
        private final SharedDoubles reaches;
        private final SharedTree tree;

        /** This node's own. */
        private final double[] own;

        Galaxy(Dsm dsm, int count) {
            this.dsm = dsm;
            this.count = count;
            NodeShare share = NodeShare.of(dsm, count);
            first = share.first();
            own = new double[share.count() * BodyState.SIZE];
            bodies = dsm.doubles(share.room() * BodyState.SIZE, BodyState.SIZE);
            reaches = dsm.doubles(dsm.nodes(), 1);
            tree = new SharedTree(dsm, bodies, count);
            System.arraycopy(BodyState.ball(count), first * BodyState.SIZE, own, 0, own.length);
            bodies.set(first * BodyState.SIZE, own, 0, own.length);
        }

        void step() {
            reaches.set(dsm.node(), reach());
            tree.clear();
            dsm.barrier();
            double reach = 0;
            for (int node = 0; node < dsm.nodes(); node++) {
                reach = Math.max(reach, reaches.get(node));
            }
            for (int at = 0; at < own.length; at += BodyState.SIZE) {
                tree.insert(first + at / BodyState.SIZE, own, at, reach);
            }
            dsm.barrier();
            tree.sumBelow();
            dsm.barrier();
            tree.sumTop();
            dsm.barrier();
            Attraction attraction = new Attraction();
            for (int at = 0; at < own.length; at += BodyState.SIZE) {
                attraction.begin(own, at);
                tree.attract(attraction, reach);
                BodyState.move(own, at, attraction);
            }
            // All nodes have read where the bodies were.
            dsm.barrier();
            bodies.set(first * BodyState.SIZE, own, 0, own.length);
        }

        private double reach() {
            double reach = 0;
            for (int at = 0; at < own.length; at += BodyState.SIZE) {
                for (int axis = at; axis < at + 3; axis++) {
                    reach = Math.max(reach, Math.abs(own[axis]));
                }
            }
            return reach;
        }

        double[] all() {
            double[] all = new double[count * BodyState.SIZE];
            bodies.get(0, all, 0, all.length);
            return all;
        }
    }
}
