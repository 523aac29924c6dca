package io.hyperverbs.lab.dsm.apps;

import java.util.Arrays;

/**
 * Which node owns each block of a matrix, and where the block lies, so that its owner is its home. Owners form a grid,
 * as square as their number allows, that is repeated over the matrix (SPLASH-2, LU).
 */
final class LuBlockPlaces {
    private final int across;
    private final int nodes;
    private final int nodeRows;
    private final int[] places;
    private final int each;

    /** @param across blocks in a row of the matrix, and in a column */
    LuBlockPlaces(int across, int nodes) {
        this.across = across;
        this.nodes = nodes;
        int rows = (int) Math.sqrt(nodes);
        while (nodes % rows != 0) {
            rows--;
        }
        nodeRows = rows;
        int[] counts = new int[nodes];
        places = new int[across * across];
        for (int block = 0; block < places.length; block++) {
            places[block] = counts[owner(block / across, block % across)]++;
        }
        each = Arrays.stream(counts).max().orElse(0);
        for (int block = 0; block < places.length; block++) {
            places[block] += each * owner(block / across, block % across);
        }
    }

    int owner(int row, int column) {
        int nodeColumns = nodes / nodeRows;
        return row % nodeRows * nodeColumns + column % nodeColumns;
    }

    /** In blocks from the begin of the array. */
    int place(int row, int column) {
        return places[row * across + column];
    }

    /** Blocks in the array: as many for each node. */
    int room() {
        return each * nodes;
    }
}
