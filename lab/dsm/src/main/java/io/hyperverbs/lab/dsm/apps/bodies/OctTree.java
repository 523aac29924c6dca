package io.hyperverbs.lab.dsm.apps.bodies;

import org.jspecify.annotations.Nullable;

/** The sequential program of {@link BarnesApplication}: a tree of objects, made again for each step. */
final class OctTree {
    private static final int PARTS = 8;
    private static final int INNER = -1;

    /** The body of a leaf. */
    private final int body;

    private final @Nullable OctTree[] parts = new @Nullable OctTree[PARTS];
    private double x;
    private double y;
    private double z;
    private double mass;

    private OctTree(int body) {
        this.body = body;
    }

    /** Moves all bodies by one step. */
    static void move(double[] bodies) {
        double[] before = bodies.clone();
        double reach = 0;
        for (int at = 0; at < before.length; at++) {
            if (at % BodyState.SIZE < BodyState.MASS) {
                reach = Math.max(reach, Math.abs(before[at]));
            }
        }
        OctTree root = new OctTree(INNER);
        for (int at = 0; at < before.length; at += BodyState.SIZE) {
            OctCube cube = new OctCube();
            cube.root(reach);
            root.insert(before, at, cube);
        }
        root.sum(before);
        Attraction attraction = new Attraction();
        for (int at = 0; at < before.length; at += BodyState.SIZE) {
            attraction.begin(before, at);
            root.attract(attraction, 2 * OctCube.halfEdge(reach));
            BodyState.move(bodies, at, attraction);
        }
    }

    private void insert(double[] bodies, int added, OctCube cube) {
        int octant = cube.octant(bodies, added);
        OctTree part = parts[octant];
        if (part == null) {
            parts[octant] = new OctTree(added);
            return;
        }
        cube.enter(octant);
        if (part.body != INNER) {
            OctTree inner = new OctTree(INNER);
            inner.parts[cube.octant(bodies, part.body)] = part;
            parts[octant] = inner;
            inner.insert(bodies, added, cube);
        } else {
            part.insert(bodies, added, cube);
        }
    }

    private void sum(double[] bodies) {
        if (body != INNER) {
            x = bodies[body];
            y = bodies[body + 1];
            z = bodies[body + 2];
            mass = bodies[body + BodyState.MASS];
            return;
        }
        for (OctTree part : parts) {
            if (part != null) {
                part.sum(bodies);
                x += part.mass * part.x;
                y += part.mass * part.y;
                z += part.mass * part.z;
                mass += part.mass;
            }
        }
        x /= mass;
        y /= mass;
        z /= mass;
    }

    private void attract(Attraction attraction, double edge) {
        double distance = SharedTree.OPENING * SharedTree.OPENING * attraction.squaredDistance(x, y, z);
        if (body != INNER || edge * edge < distance) {
            attraction.add(x, y, z, mass);
            return;
        }
        for (OctTree part : parts) {
            if (part != null) {
                part.attract(attraction, edge / 2);
            }
        }
    }
}
