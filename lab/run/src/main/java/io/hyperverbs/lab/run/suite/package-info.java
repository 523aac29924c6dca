/**
 * The evaluation of Liu 2006 (section 6) by one command: figures ({@link io.hyperverbs.lab.run.suite.Figure}), each a class
 * and a line of {@link io.hyperverbs.lab.run.suite.Figures}; what was measured as rounds of cells ({@link
 * io.hyperverbs.lab.run.suite.FigureData}); the paper's claims ({@link io.hyperverbs.lab.run.suite.Claims}) and how they are
 * judged; files and the page ({@link io.hyperverbs.lab.run.suite.SuiteFolder}). One thread.
 */
@NullMarked
package io.hyperverbs.lab.run.suite;

import org.jspecify.annotations.NullMarked;
