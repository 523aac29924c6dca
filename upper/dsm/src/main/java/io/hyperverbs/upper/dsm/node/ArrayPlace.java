package io.hyperverbs.upper.dsm.node;

/**
 * Where an array lies.
 *
 * @param offsetBytes in the shared memory
 * @param firstMinipage its number
 */
public record ArrayPlace(long offsetBytes, int firstMinipage) {}
