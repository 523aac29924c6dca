package io.hyperverbs.lab.dsm.apps.bodies;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;
import io.hyperverbs.upper.dsm.SharedLongs;

/**
 * The tree of Barnes and Hut in shared memory, as one node sees it: a cell with eight children for each cube with two
 * bodies or more, and for the root. Each node takes new cells from a part of the array that it is home to.
 * <pre>
 *  0    eight children: 0 none, cell number + 1, or -(body number + 1)
 *  8    centre of mass in x, y, z, then mass, as bits of doubles
 *  12   not used
 * </pre>
 * A cell is complete before its parent names it, and a child changes under the lock of its cell: from none to a body,
 * and from a body to a cell. So nodes go down without locks, and look again under the lock of the last cell.
 */
final class SharedTree {
    /** A cell is taken as one mass where its edge is less than this part of its distance. */
    static final double OPENING = 0.7;

    private static final int CELL = 16;
    private static final int CHILDREN = 8;
    private static final int CENTRE = 8;
    private static final int MOMENTS = 4;
    private static final int ROOT = 0;
    private static final int NONE = 0;

    /** Random bodies need fewer cells than there are bodies; how many of them a node adds, its luck decides. */
    private static final int CELLS_PER_BODY = 2;

    private static final int SPARE_CELLS = 16;

    private final Dsm dsm;
    private final SharedDoubles bodies;
    private final SharedLongs cells;
    private final int firstCell;
    private final int endCell;
    private int nextCell;
    private final OctCube cube = new OctCube();
    private final double[] body = new double[BodyState.SIZE];
    private final long[] moments = new long[MOMENTS];

    /** Collective. */
    SharedTree(Dsm dsm, SharedDoubles bodies, int count) {
        this.dsm = dsm;
        this.bodies = bodies;
        int each = CELLS_PER_BODY * Math.ceilDiv(count, dsm.nodes()) + SPARE_CELLS;
        cells = dsm.longs(each * dsm.nodes() * CELL, CELL);
        firstCell = each * dsm.node();
        endCell = firstCell + each;
        nextCell = firstCell;
    }

    /** Forgets all cells but an empty root; due at all nodes, and then a barrier, before any inserts. */
    void clear() {
        nextCell = firstCell;
        if (dsm.node() == 0) {
            newCell();
        }
    }

    /** @return the number of an empty cell */
    private int newCell() {
        if (nextCell == endCell) {
            throw new IllegalStateException("no cell left of " + (endCell - firstCell));
        }
        cells.set(nextCell * CELL, new long[CELL], 0, CELL);
        return nextCell++;
    }

    /**
     * @param states has the body's position at {@code at}
     * @param reach of all bodies
     */
    void insert(int number, double[] states, int at, double reach) {
        cube.root(reach);
        long child = ROOT + 1;
        while (child != NONE) {
            int cell = (int) child - 1;
            int octant = cube.octant(states, at);
            child = cells.get(cell * CELL + octant);
            if (child > NONE) {
                cube.enter(octant);
            } else {
                child = add(number, cell, octant);
            }
        }
    }

    /**
     * Adds a body to a cell, or a cell in place of the body that is there.
     *
     * @return the child to go on with, always a cell; {@link #NONE} when the body is in
     */
    private long add(int number, int cell, int octant) {
        int place = cell * CELL + octant;
        dsm.lock(cell);
        // Another node may have changed it meanwhile.
        long child = cells.get(place);
        if (child == NONE) {
            cells.set(place, -(number + 1L));
        } else {
            cube.enter(octant);
            if (child < NONE) {
                int added = newCell();
                readBody(child);
                cells.set(added * CELL + cube.octant(body, 0), child);
                child = added + 1L;
                cells.set(place, child);
            }
        }
        dsm.unlock(cell);
        return child;
    }

    private void readBody(long child) {
        bodies.get((int) (-child - 1) * BodyState.SIZE, body, 0, BodyState.MASS + 1);
    }

    private void readMoments(long child) {
        cells.get((int) (child - 1) * CELL + CENTRE, moments, 0, MOMENTS);
    }

    /** Sums up this node's part of the cells that are two levels or more below the root. */
    void sumBelow() {
        for (int i = dsm.node(); i < CHILDREN * CHILDREN; i += dsm.nodes()) {
            long child = cells.get(i / CHILDREN);
            if (child > NONE) {
                sumTree(cells.get((int) (child - 1) * CELL + i % CHILDREN));
            }
        }
    }

    private void sumTree(long tree) {
        if (tree > NONE) {
            int cell = (int) tree - 1;
            for (int octant = 0; octant < CHILDREN; octant++) {
                sumTree(cells.get(cell * CELL + octant));
            }
            sum(cell);
        }
    }

    /** Node 0 sums up the cells above those, when all nodes have summed up these. */
    void sumTop() {
        if (dsm.node() == 0) {
            for (int octant = 0; octant < CHILDREN; octant++) {
                long child = cells.get(octant);
                if (child > NONE) {
                    sum((int) child - 1);
                }
            }
            sum(ROOT);
        }
    }

    /** In the order of the children, whoever does it. */
    private void sum(int cell) {
        double x = 0;
        double y = 0;
        double z = 0;
        double mass = 0;
        for (int octant = 0; octant < CHILDREN; octant++) {
            long child = cells.get(cell * CELL + octant);
            if (child < NONE) {
                readBody(child);
                x += body[BodyState.MASS] * body[0];
                y += body[BodyState.MASS] * body[1];
                z += body[BodyState.MASS] * body[2];
                mass += body[BodyState.MASS];
            } else if (child > NONE) {
                readMoments(child);
                x += moment(3) * moment(0);
                y += moment(3) * moment(1);
                z += moment(3) * moment(2);
                mass += moment(3);
            }
        }
        setMoment(cell, 0, x / mass);
        setMoment(cell, 1, y / mass);
        setMoment(cell, 2, z / mass);
        setMoment(cell, 3, mass);
    }

    private double moment(int index) {
        return Double.longBitsToDouble(moments[index]);
    }

    private void setMoment(int cell, int index, double value) {
        cells.set(cell * CELL + CENTRE + index, Double.doubleToRawLongBits(value));
    }

    /** Adds the attraction of all bodies. */
    void attract(Attraction attraction, double reach) {
        attract(attraction, ROOT + 1, 2 * OctCube.halfEdge(reach));
    }

    private void attract(Attraction attraction, long child, double edge) {
        if (child < NONE) {
            readBody(child);
            attraction.add(body[0], body[1], body[2], body[BodyState.MASS]);
        } else if (child > NONE) {
            readMoments(child);
            double square = attraction.squaredDistance(moment(0), moment(1), moment(2));
            if (edge * edge < OPENING * OPENING * square) {
                attraction.add(moment(0), moment(1), moment(2), moment(3));
            } else {
                int cell = (int) child - 1;
                for (int octant = 0; octant < CHILDREN; octant++) {
                    attract(attraction, cells.get(cell * CELL + octant), edge / 2);
                }
            }
        }
    }
}
