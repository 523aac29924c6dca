/**
 * Races of two threads over memory that guest and HCA share, for jcstress: the project's own layout
 * classes, each with a planted mistake beside it. {@link io.hyperverbs.tests.race.RaceTest} runs
 * them.
 */
package io.hyperverbs.tests.race;
