package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Rounds;
import io.hyperverbs.launcher.failure.HvException;

/**
 * Rounds of a machine, and of floors beside it: the processes of one sleep while the other runs.
 *
 * @param machine where the paths of domains run
 * @param floors where {@link MeasuredPath#FLOOR} does
 */
public record RoundsWithFloor(Rounds machine, Floors floors) implements Rounds {
    @Override
    public long[] run(MeasuredPath path, Cell cell, int iterations, int warmUp, int millis)
            throws HvException, InterruptedException {
        return path.isOfMachine()
                ? machine.run(path, cell, iterations, warmUp, millis)
                : floors.measure(floorOf(cell), iterations, warmUp, millis);
    }

    /** A message crosses the engine twice on its way there and back, all else once. */
    private static FloorCell floorOf(Cell cell) {
        return new FloorCell(cell.verb() == BenchVerb.SEND ? Floor.SEND : Floor.WRITE, cell.sizeBytes());
    }
}
