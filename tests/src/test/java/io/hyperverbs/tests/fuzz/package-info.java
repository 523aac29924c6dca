/**
 * Fuzzing. A {@link io.hyperverbs.tests.fuzz.FuzzTarget} takes any bytes, plays them against code
 * that serves guests, and judges the outcome by a model or by what must stay as it was. In each
 * build the corpora are replayed; {@code -Pfuzz} lets Jazzer search, in a JVM for each target.
 */
package io.hyperverbs.tests.fuzz;
