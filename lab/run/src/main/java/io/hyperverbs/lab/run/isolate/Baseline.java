package io.hyperverbs.lab.run.isolate;

/**
 * How things were before the attacks.
 *
 * @param resources objects on the HCA
 * @param footprint of VMM and device domain
 */
public record Baseline(String resources, Footprint footprint) {}
