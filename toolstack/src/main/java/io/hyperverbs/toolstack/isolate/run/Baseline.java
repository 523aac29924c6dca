package io.hyperverbs.toolstack.isolate.run;

/**
 * How things were before the attacks.
 *
 * @param resources objects on the HCA
 * @param footprint of VMM and device domain
 */
public record Baseline(String resources, Footprint footprint) {}
