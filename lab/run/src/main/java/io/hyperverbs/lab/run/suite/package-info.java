/**
 * The evaluations of the papers by one command: figures ({@link io.hyperverbs.lab.run.suite.Figure}), each a class, those of
 * verbs a line of {@link io.hyperverbs.lab.run.suite.Figures} too; what was measured as rounds of cells ({@link
 * io.hyperverbs.lab.run.suite.FigureData}); the papers' claims ({@link io.hyperverbs.lab.run.suite.Claims}) and how they are
 * judged; files and the page ({@link io.hyperverbs.lab.run.suite.SuiteFolder}). One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.suite;

import org.jspecify.annotations.NullMarked;
