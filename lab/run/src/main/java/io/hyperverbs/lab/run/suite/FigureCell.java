package io.hyperverbs.lab.run.suite;

/**
 * What is compared across the series of a figure.
 *
 * @param what such as a verb
 * @param x on the figure's axis, such as bytes; 0 where it has none
 */
public record FigureCell(String what, long x) {}
