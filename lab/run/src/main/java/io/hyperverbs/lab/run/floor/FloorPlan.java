package io.hyperverbs.lab.run.floor;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run of floors measures.
 *
 * @param sizesBytes of payload, 8 to {@link #MOST_BYTES}
 */
public record FloorPlan(List<Integer> sizesBytes, int rounds) {
    public static final int MOST_BYTES = 1 << 20;

    private static final List<Integer> SIZES = List.of(8, 64, 4096, 65536, MOST_BYTES);

    public FloorPlan {
        sizesBytes = List.copyOf(sizesBytes);
    }

    /** 11 rounds. */
    public static FloorPlan full() {
        return new FloorPlan(SIZES, 11);
    }

    /** 5 rounds. */
    public static FloorPlan quick() {
        return new FloorPlan(SIZES, 5);
    }

    /** With other sizes and rounds. */
    public FloorPlan with(List<Integer> sizes, int otherRounds) {
        return new FloorPlan(sizes, otherRounds);
    }

    /** What a round measures, in its order. */
    public List<FloorCell> cells() {
        List<FloorCell> cells = new ArrayList<>();
        for (Floor floor : Floor.values()) {
            for (int bytes : floor.hasSizes() ? sizesBytes : List.of(0)) {
                cells.add(new FloorCell(floor, bytes));
            }
        }
        return cells;
    }
}
