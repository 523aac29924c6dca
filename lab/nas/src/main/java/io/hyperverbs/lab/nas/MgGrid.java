package io.hyperverbs.lab.nas;

import java.util.Arrays;

/**
 * One level of MG: a cube of points that repeats in all directions, of which this rank has some planes, or all where
 * they are too few to share. Points count from 1; 0 and size + 1, and such planes, are copies of the points at the other
 * end or of a neighbour's planes.
 */
final class MgGrid {
    final int size;
    final int planes;

    /** Planes of other ranks before those of this one. */
    final int firstPlane;

    /** By plane, row and point, copies included. */
    final double[] points;

    private final RankPeers peers;

    /** @param size points along an axis, a power of two */
    MgGrid(int size, RankPeers peers) {
        this.size = size;
        boolean isShared = isShared(size, peers.size());
        this.peers = isShared ? peers : new AlonePeers();
        planes = size / this.peers.size();
        firstPlane = planes * this.peers.rank();
        points = new double[(planes + 2) * plane()];
    }

    /** Two planes at least, so that one is left on the next level. */
    private static boolean isShared(int size, int ranks) {
        return size / ranks >= 2;
    }

    /** @return points of a plane, copies included */
    int plane() {
        return (size + 2) * (size + 2);
    }

    /** @return the place of a row's point 0 */
    int row(int z, int y) {
        return (z * (size + 2) + y) * (size + 2);
    }

    /** Brings the planes that each rank has made from its share of the finer level to all, if this level is not shared. */
    void gather(MgGrid finer) {
        if (planes == size && finer.planes < finer.size) {
            double[] mine = Arrays.copyOfRange(
                    points,
                    (finer.firstPlane / 2 + 1) * plane(),
                    ((finer.firstPlane + finer.planes) / 2 + 1) * plane());
            double[] all = new double[size * plane()];
            finer.peers.allGather(mine, all);
            System.arraycopy(all, 0, points, plane(), all.length);
        }
    }

    void clear() {
        Arrays.fill(points, 0);
    }

    /** Makes the copies what they are copies of. */
    void copyEdges() {
        int width = size + 2;
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= size; y++) {
                int row = row(z, y);
                points[row] = points[row + size];
                points[row + size + 1] = points[row + 1];
            }
            System.arraycopy(points, row(z, size), points, row(z, 0), width);
            System.arraycopy(points, row(z, 1), points, row(z, size + 1), width);
        }
        int before = Math.floorMod(peers.rank() - 1, peers.size());
        int after = (peers.rank() + 1) % peers.size();
        shift(1, before, planes + 1, after);
        shift(planes, after, 0, before);
    }

    private void shift(int plane, int to, int copy, int from) {
        double[] send = Arrays.copyOfRange(points, plane * plane(), (plane + 1) * plane());
        double[] receive = new double[plane()];
        peers.shift(send, to, receive, from);
        System.arraycopy(receive, 0, points, copy * plane(), plane());
    }

    /** @return the root of the points' mean square, over all ranks */
    double norm() {
        double sum = 0;
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= size; y++) {
                int row = row(z, y);
                for (int x = 1; x <= size; x++) {
                    sum += points[row + x] * points[row + x];
                }
            }
        }
        return Math.sqrt(peers.sum(sum) / ((double) size * size * size));
    }
}
