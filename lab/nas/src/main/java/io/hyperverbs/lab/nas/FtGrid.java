package io.hyperverbs.lab.nas;

/**
 * This rank's part of FT's complex grid, and its transform. In space it has planes of equal z, x fastest; of wave numbers
 * it has planes of equal y, and z fastest, so that each transform finds its lines whole (RNR-94-007, section 3.4). Between
 * both, each rank exchanges a block with each.
 */
final class FtGrid {
    private final int sizeX;
    private final int sizeY;
    private final int sizeZ;

    /** Planes of this rank, in space and of wave numbers. */
    private final int planesZ;

    private final int planesY;
    private final RankPeers peers;
    private final FtLines linesX;
    private final FtLines linesY;
    private final FtLines linesZ;

    /** The grid, and room of the same size for exchanges. */
    private double[] grid;

    private double[] spare;

    /** The ranks must divide y and z. */
    FtGrid(int sizeX, int sizeY, int sizeZ, RankPeers peers) {
        this.sizeX = sizeX;
        this.sizeY = sizeY;
        this.sizeZ = sizeZ;
        this.peers = peers;
        planesZ = sizeZ / peers.size();
        planesY = sizeY / peers.size();
        linesX = new FtLines(sizeX);
        linesY = new FtLines(sizeY);
        linesZ = new FtLines(sizeZ);
        grid = new double[2 * sizeX * sizeY * planesZ];
        spare = new double[grid.length];
    }

    /** @return its numbers, in the order that the last transform left; another array after the next one */
    double[] numbers() {
        return grid;
    }

    int firstZ() {
        return planesZ * peers.rank();
    }

    int firstY() {
        return planesY * peers.rank();
    }

    /** From space to wave numbers. */
    void forward() {
        planes(1);
        pack(true);
        unpack(false);
        transformZ(1);
    }

    /** From wave numbers to space, times the count of all numbers. */
    void inverse() {
        transformZ(-1);
        pack(false);
        unpack(true);
        planes(-1);
    }

    private void planes(int sign) {
        for (int z = 0; z < planesZ; z++) {
            int plane = z * sizeX * sizeY;
            for (int y = 0; y < sizeY; y++) {
                linesX.transform(grid, plane + y * sizeX, 1, sign);
            }
            for (int x = 0; x < sizeX; x++) {
                linesY.transform(grid, plane + x, sizeX, sign);
            }
        }
    }

    private void transformZ(int sign) {
        for (int line = 0; line < planesY * sizeX; line++) {
            linesZ.transform(grid, line * sizeZ, 1, sign);
        }
    }

    /** Gives each rank its block: by y, x and z, z fastest. The grid is what the others gave then. */
    private void pack(boolean isInSpace) {
        int block = 0;
        for (int other = 0; other < peers.size(); other++) {
            for (int column = 0; column < planesY * sizeX; column++) {
                copy(start(isInSpace, other, column), stride(isInSpace), block, 1);
                block += planesZ;
            }
        }
        peers.allToAll(spare, grid);
    }

    /** Puts the blocks of all ranks at their places. */
    private void unpack(boolean isInSpace) {
        int block = 0;
        for (int other = 0; other < peers.size(); other++) {
            for (int column = 0; column < planesY * sizeX; column++) {
                copy(block, 1, start(isInSpace, other, column), stride(isInSpace));
                block += planesZ;
            }
        }
        double[] filled = spare;
        spare = grid;
        grid = filled;
    }

    /**
     * @param column which of those that this rank shares with the other one
     * @return its first number: of the other rank's y in space, of its z of wave numbers
     */
    private int start(boolean isInSpace, int other, int column) {
        return isInSpace ? other * planesY * sizeX + column : column * sizeZ + other * planesZ;
    }

    private int stride(boolean isInSpace) {
        return isInSpace ? sizeX * sizeY : 1;
    }

    private void copy(int from, int fromStride, int to, int toStride) {
        for (int z = 0; z < planesZ; z++) {
            int source = 2 * (from + z * fromStride);
            int target = 2 * (to + z * toStride);
            spare[target] = grid[source];
            spare[target + 1] = grid[source + 1];
        }
    }
}
