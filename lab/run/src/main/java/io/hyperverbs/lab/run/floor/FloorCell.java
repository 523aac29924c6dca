package io.hyperverbs.lab.run.floor;

/**
 * What is measured in a round.
 *
 * @param bytes of payload; 0 where the floor has no sizes
 */
public record FloorCell(Floor floor, int bytes) {}
